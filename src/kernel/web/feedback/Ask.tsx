import { Button, Modal } from 'antd';
import { useRef, useState, type ComponentType, type ReactNode } from 'react';
import { AskedFacts } from './AskedFacts.tsx';
import { DIALOG_TITLE, DIALOG_WIDTH, OTHER } from './dialogs.tsx';
import type { Open } from './dialogs.tsx';

const OPINION_LEAST = 2;
const OPINION_MOST = 500;

/** One question, with an opinion where it asks for one. */
export default function Ask({ question, onDone }: { question: Open; onDone(value: string | null): void }) {
  const {
    title = DIALOG_TITLE,
    content,
    facts = [],
    ok = '确定',
    cancel = '取消',
    danger = false,
    width = DIALOG_WIDTH,
    opinion,
    label = '意见',
    other,
  } = question;
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLDivElement>(null);
  const confirm = () => {
    const given = text.trim();
    if (opinion === 'required' && given.length < OPINION_LEAST) {
      setFault(given ? `${label}至少${OPINION_LEAST}个字` : `请输入${label}`);
      field.current?.querySelector('textarea')?.focus();
      return;
    }
    // Not cut while it is pasted: the rest stays to be seen.
    if (given.length > OPINION_MOST) {
      setFault(`${label}最多${OPINION_MOST}个字`);
      return;
    }
    onDone(opinion ? given : '');
  };
  return (
    <Modal
      open
      // Above drawers that stand in drawers, below the toasts.
      zIndex={1900}
      title={title}
      width={width}
      className="kq-dialog"
      okText={ok}
      cancelText={cancel}
      okButtonProps={{ danger }}
      {...(other !== undefined && {
        // The library's own second button closes before it does anything else.
        footer: (_: ReactNode, { OkBtn }: { OkBtn: ComponentType }) => (
          <>
            {other !== null && <Button onClick={() => onDone(OTHER)}>{other}</Button>}
            <OkBtn />
          </>
        ),
      })}
      onOk={confirm}
      onCancel={() => onDone(null)}
      mask={{ closable: false }}
    >
      <div>{content}</div>
      <AskedFacts facts={facts} />
      {opinion && (
        <div ref={field} className="kq-opinion-field">
          <label>
            {label}
            {opinion === 'optional' && '（选填）'}
            <textarea
              rows={3}
              className={fault ? 'kq-textarea kq-textarea-fault' : 'kq-textarea'}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setFault(null);
              }}
              onKeyDown={(event) => event.ctrlKey && event.key === 'Enter' && confirm()}
            />
          </label>
          <span className="kq-muted kq-opinion-count">
            {text.length} / {OPINION_MOST}
          </span>
          {fault && <p className="kq-fault">{fault}</p>}
        </div>
      )}
    </Modal>
  );
}
