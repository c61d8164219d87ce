import { fenOf } from '#kernel/contract/money.ts';
import { wordOf } from '../../contract/words.ts';
import type { DatasetFacts } from '../bridge/messages.ts';
import { chartOf } from './chart.ts';
import type { Channel } from './channel.ts';
import { conditionOf, fileOf, pickerOf, regionOf, scanOf } from './choosers.ts';
import type { FieldProps, Renderer, RendererProps } from './sdk.ts';
import { timelineOf } from './timeline.ts';

const isFacts = (value: unknown): value is readonly DatasetFacts[] => Array.isArray(value);

const factsOf = ({ data }: RendererProps, code: unknown): DatasetFacts | undefined => {
  const all = data['kqDatasets'];
  return isFacts(all) ? all.find((one) => one.code === code) : undefined;
};

/** Yuan as they are typed, of fen; by text alone, so that nothing is rounded. */
const yuanOf = (fen: unknown): string => {
  if (fen === null || fen === undefined || fen === '') return '';
  const digits = wordOf(fen);
  if (!/^-?\d+$/.test(digits)) return '';
  const positive = digits.replace('-', '').padStart(3, '0');
  return `${digits.startsWith('-') ? '-' : ''}${positive.slice(0, -2)}.${positive.slice(-2)}`;
};

const textOf = wordOf;

/** Lists that the component names are read anew where something changed. */
function reloadAfter({ onAction, reload, data }: RendererProps, changed: unknown): void {
  const target = Array.isArray(reload) ? reload.join(',') : textOf(reload);
  if (changed === true && target !== '' && typeof onAction === 'function')
    onAction(undefined, { type: 'action', actionType: 'reload', target }, data);
}

/** The components that are ours: `kq-…`. */
export function registerHostComponents(renderer: Renderer, channel: Channel): void {
  const { amis, react } = renderer;
  const { createElement: h, useEffect, useState } = react;

  function ExportButton(props: RendererProps) {
    const [busy, setBusy] = useState(false);
    const facts = factsOf(props, props['dataset']);
    if (!facts || facts.exportCall === null) return null;
    const run = () => {
      setBusy(true);
      const filters: unknown = JSON.parse(JSON.stringify(props.data));
      const given = typeof filters === 'object' && filters !== null ? { ...filters } : {};
      void channel.ask({ kind: 'export', dataset: facts.code, filters: given }).then(() => setBusy(false));
    };
    return h(
      'button',
      { type: 'button', className: 'kq-button', disabled: busy, onClick: run },
      busy ? '导出中…' : textOf(props['label']) || '导出',
    );
  }

  /** Opens the further lines of a search; they stand open where one of them narrows the list already. */
  function Unfold(props: RendererProps) {
    const names = Array.isArray(props['names']) ? props['names'].map(textOf) : [];
    const [isOpen, setOpen] = useState(names.some((name) => !['', 'undefined', 'null'].includes(textOf(props.data[name] ?? ''))));
    const [button, setButton] = useState<HTMLButtonElement | null>(null);
    useEffect(() => void button?.closest('.kq-filter')?.classList.toggle('kq-open', isOpen), [button, isOpen]);
    return h(
      'button',
      { type: 'button', className: 'kq-link', 'aria-expanded': isOpen, ref: setButton, onClick: () => setOpen(!isOpen) },
      isOpen ? '收起' : '展开',
    );
  }

  function ImportButton(props: RendererProps) {
    const facts = factsOf(props, props['dataset']);
    if (!facts || facts.importerCode === null) return null;
    const run = () => void channel.ask({ kind: 'import', dataset: facts.code }).then((changed) => reloadAfter(props, changed));
    return h('button', { type: 'button', className: 'kq-button', onClick: run }, textOf(props['label']) || '导入');
  }

  /** Opens a window of the page around the frame: over the record of the row, or alone where the definition names none. */
  function WindowButton(props: RendererProps) {
    const isAlone = props['record'] === undefined;
    const record = textOf(props.data[textOf(props['record'])]);
    const [level, size] = [textOf(props['level']) || 'default', textOf(props['size']) || 'default'];
    const open = ({ currentTarget: button }: { currentTarget: HTMLElement }) =>
      void channel.ask({ kind: 'window', window: textOf(props['window']), record }).then((changed) => {
        // The keyboard comes back to where it was.
        button.focus();
        reloadAfter(props, changed);
      });
    return h(
      'button',
      {
        type: 'button',
        className: `antd-Button antd-Button--${level} antd-Button--size-${size}`,
        disabled: !isAlone && record === '',
        onClick: open,
      },
      h('span', null, textOf(props['label']) || '打开'),
    );
  }

  function Reveal(props: RendererProps) {
    const [seen, setSeen] = useState<{ key: string; value: string } | null>(null);
    const code = textOf(props['dataset']);
    const column = textOf(props['column']);
    const facts = factsOf(props, code);
    const key = textOf(props.data[facts?.keyField ?? 'id']);
    const value = seen?.key === key ? seen.value : textOf(props.data[column]);
    const mayReveal = props.data[`${column}Reveal`] === true && seen?.key !== key;
    const reveal = () =>
      void channel.ask({ kind: 'reveal', dataset: code, column, key }).then((answer) => {
        if (typeof answer === 'string') setSeen({ key, value: answer });
      });
    return h(
      'span',
      { className: 'kq-reveal' },
      value,
      mayReveal ? h('button', { type: 'button', className: 'kq-link', onClick: reveal }, '查看') : null,
    );
  }

  function Preview(props: RendererProps) {
    const fileId = textOf(props.data[textOf(props['name'])]);
    if (fileId === '') return h('span', null, '—');
    const fileName = textOf(props.data[textOf(props['fileName'])]) || '文件';
    return h(
      'button',
      { type: 'button', className: 'kq-link', onClick: () => channel.post({ kind: 'preview', fileId, fileName }) },
      '查看文件',
    );
  }

  function Money({ value, onChange, disabled, placeholder }: FieldProps) {
    // What is typed stays as it is typed while it is an amount that is not finished yet.
    const [typed, setTyped] = useState<string | null>(null);
    const shown = typed ?? yuanOf(value);
    const fen = fenOf(shown);
    const fault = shown !== '' && fen === null ? (/\.\d{3,}$/.test(shown) ? '金额最多两位小数' : '请输入正确的金额') : '';
    const type = (text: string) => {
      setTyped(text);
      const amount = text === '' ? null : fenOf(text);
      // What is no amount goes on as it is, and is refused where the form is sent.
      onChange(text === '' ? null : amount === null ? text : Number(amount));
    };
    return h(
      'span',
      { className: 'kq-money' },
      h('input', {
        type: 'text',
        inputMode: 'decimal',
        className: fault ? 'kq-input kq-input-bad' : 'kq-input',
        value: shown,
        disabled: disabled === true,
        placeholder: placeholder ?? '0.00',
        'aria-invalid': fault !== '',
        onChange: (event: { target: { value: string } }) => type(event.target.value),
        onBlur: () => setTyped(fault ? typed : null),
      }),
      h('span', { className: 'kq-unit' }, '元'),
      fault ? h('span', { className: 'kq-fault', role: 'alert' }, fault) : null,
    );
  }

  amis.Renderer({ type: 'kq-export' })(ExportButton);
  amis.Renderer({ type: 'kq-import' })(ImportButton);
  amis.Renderer({ type: 'kq-window' })(WindowButton);
  amis.Renderer({ type: 'kq-unfold' })(Unfold);
  amis.Renderer({ type: 'kq-timeline' })(timelineOf(renderer, channel, factsOf));
  amis.FormItem({ type: 'kq-region' })(regionOf(renderer, channel));
  amis.FormItem({ type: 'kq-file' })(fileOf(renderer, channel));
  amis.FormItem({ type: 'kq-picker' })(pickerOf(renderer, channel));
  amis.FormItem({ type: 'kq-condition' })(conditionOf(renderer, channel));
  amis.FormItem({ type: 'kq-scan' })(scanOf(renderer));
  amis.Renderer({ type: 'kq-reveal' })(Reveal);
  amis.Renderer({ type: 'kq-preview' })(Preview);
  amis.FormItem({ type: 'kq-money' })(Money);
  amis.Renderer({ type: 'kq-chart' })(chartOf(renderer, channel, factsOf));
}
