import type { ComponentType } from 'react';
import { wordOf } from '../../contract/words.ts';
import type { Choice, Chosen } from '../bridge/messages.ts';
import type { Channel } from './channel.ts';
import type { FieldProps, Renderer } from './sdk.ts';

const isChosen = (answer: unknown): answer is Chosen =>
  typeof answer === 'object' && answer !== null && 'value' in answer && 'text' in answer && typeof answer.text === 'string';

/** A field whose value is chosen in a window of the page around the frame, which has the pickers, the uploads and the session. */
function chooserOf(
  { react }: Renderer,
  channel: Channel,
  choiceOf: (props: FieldProps) => Choice,
  valueOf: (text: string) => unknown = (text) => text,
): ComponentType<FieldProps> {
  const { createElement: h, useState, useEffect } = react;
  return function Chooser(props: FieldProps) {
    const { onChange, disabled, placeholder } = props;
    const value = wordOf(props.value);
    const [known, setKnown] = useState<Chosen>({ value: '', text: '' });
    // A definition does not change while it is shown.
    const [choice] = useState<Choice>(choiceOf(props));
    const isKnown = known.value === value;
    useEffect(() => {
      if (value === '' || isKnown) return;
      let gone = false;
      void channel.ask({ kind: 'words', choice, value }).then((text) => {
        if (!gone) setKnown({ value, text: typeof text === 'string' && text !== '' ? text : value });
      });
      return () => {
        gone = true;
      };
    }, [value, isKnown, choice]);
    const choose = () =>
      void channel.ask({ kind: 'choose', title: wordOf(props['label']) || '请选择', choice, value }).then((answer) => {
        if (!isChosen(answer)) return;
        setKnown(answer);
        onChange(valueOf(answer.value));
      });
    const clear = value !== '' && disabled !== true;
    return h(
      'span',
      { className: 'kq-chooser' },
      h(
        'button',
        { type: 'button', className: 'kq-input', disabled: disabled === true, onClick: choose, title: isKnown ? known.text : value },
        value === '' ? h('span', { className: 'kq-hint' }, placeholder ?? '请选择') : isKnown ? known.text : '…',
      ),
      clear ? h('button', { type: 'button', className: 'kq-link', onClick: () => onChange(valueOf('')) }, '清除') : null,
    );
  };
}

export const regionOf = (renderer: Renderer, channel: Channel) => chooserOf(renderer, channel, () => ({ of: 'region' }));
export const fileOf = (renderer: Renderer, channel: Channel) =>
  chooserOf(renderer, channel, (props) => ({
    of: 'file',
    purpose: wordOf(props['purpose']),
    max: typeof props['max'] === 'number' ? props['max'] : 1,
  }));
export const pickerOf = (renderer: Renderer, channel: Channel) =>
  chooserOf(renderer, channel, (props) => ({ of: 'options', dataset: wordOf(props['dataset']), options: wordOf(props['options']) }));
/** Its value is the group of conditions as calls take it. */
export const conditionOf = (renderer: Renderer, channel: Channel) =>
  chooserOf(
    renderer,
    channel,
    (props) => ({ of: 'condition', variables: props['variables'] }),
    (text): unknown => (text === '' ? null : JSON.parse(text)),
  );

/** A scanner types what it read and ends it with Enter: the value is what stood there then. */
export function scanOf({ react }: Renderer): ComponentType<FieldProps> {
  const { createElement: h, useState, useEffect } = react;
  return function Scan({ value, onChange, disabled, placeholder, ...rest }: FieldProps) {
    const taken = wordOf(value);
    const [typed, setTyped] = useState(taken);
    useEffect(() => setTyped(taken), [taken]);
    const take = () => {
      const text = typed.trim();
      if (text !== taken) onChange(text);
    };
    return h('input', {
      type: 'text',
      className: 'kq-input kq-scan',
      value: typed,
      disabled: disabled === true,
      placeholder: placeholder ?? '请扫码或输入后按回车',
      maxLength: typeof rest['maxLength'] === 'number' ? rest['maxLength'] : 100,
      autoComplete: 'off',
      onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
      onKeyDown: (event: { key: string; preventDefault(): void }) => {
        if (event.key !== 'Enter') return;
        // The form is sent where it says so, with the new value.
        event.preventDefault();
        take();
      },
      onBlur: take,
    });
  };
}
