import { Alert, Button, Form, Modal } from 'antd';
import { useState, type ReactNode } from 'react';
import type { Fen } from '../../contract/money.ts';
import { useAntiDoubleClick } from '../http/antiDoubleClick.ts';
import { Money } from '../kit/values.tsx';
import { useSession } from '../session/store.ts';
import { TextArea } from '../kit/TextInput.tsx';

interface CheckDialogProps {
  title: string;
  /** Who made what is looked at; nobody confirms his own. */
  maker: { id: string | null; name: string };
  /** What moves if it is confirmed. */
  amountFen?: Fen;
  /** What the second person compares. */
  children?: ReactNode;
  /** 复核通过 by default. */
  passLabel?: string;
  rejectLabel?: string;
  /** Said to who made it himself. */
  ownText: string;
  busy?: boolean;
  onPass(opinion: string): unknown;
  /** Absent: it can only be confirmed. */
  onReject?: ((opinion: string) => unknown) | undefined;
  onClose(): void;
  width?: number;
}

const LEAST = 2;

/** 第二人复核: somebody else looks at what was made, and confirms or rejects it with his opinion. */
export function CheckDialog({
  title,
  maker,
  amountFen,
  children,
  passLabel = '复核通过',
  rejectLabel = '驳回',
  ownText,
  busy = false,
  onPass,
  onReject,
  onClose,
  width = 720,
}: CheckDialogProps) {
  const me = useSession(({ userId }) => userId);
  const isOwn = maker.id !== null && maker.id === me;
  const [opinion, setOpinion] = useState('');
  const [asked, setAsked] = useState(false);
  const { blocked, block } = useAntiDoubleClick();
  const missing = opinion.trim().length < LEAST;
  const decide = (act: (opinion: string) => unknown) => {
    setAsked(true);
    if (missing) return;
    block();
    void act(opinion.trim());
  };
  const disabled = isOwn || busy || blocked;
  return (
    <Modal
      open
      title={title}
      width={width}
      className="kq-dialog"
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <div className="kq-form-foot">
          <span>
            {amountFen !== undefined && (
              <>
                金额 <Money fen={amountFen} unit />
              </>
            )}
          </span>
          <Button onClick={onClose}>关闭</Button>
          {onReject && (
            <Button danger disabled={disabled} onClick={() => decide(onReject)}>
              {rejectLabel}
            </Button>
          )}
          <Button type="primary" disabled={disabled} loading={busy} onClick={() => decide(onPass)}>
            {passLabel}
          </Button>
        </div>
      }
    >
      {isOwn && <Alert type="warning" showIcon title={ownText} style={{ marginBottom: 12 }} />}
      <p className="kq-muted">制单人：{maker.name}</p>
      {children}
      {!isOwn && (
        <Form layout="vertical">
          <Form.Item
            label="复核意见"
            required
            htmlFor="check-opinion"
            {...(asked && missing && { validateStatus: 'error' as const, help: '请填写至少2个字的复核意见' })}
          >
            <TextArea
              id="check-opinion"
              rows={2}
              most={500}
              showCount
              value={opinion}
              onChange={({ target }) => setOpinion(target.value)}
            />
          </Form.Item>
        </Form>
      )}
    </Modal>
  );
}
