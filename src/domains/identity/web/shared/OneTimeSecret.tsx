import { Button, Modal } from 'antd';
import type { ReactNode } from 'react';
import { copyText } from '#kernel/web/feedback/copy.ts';
import './page.css';

interface OneTimeSecretProps {
  title: string;
  secret: string;
  note: string;
  children?: ReactNode;
  onClose(): void;
}

/** Something that is shown once: a temporary password, an API secret. */
export function OneTimeSecret({ title, secret, note, children, onClose }: OneTimeSecretProps) {
  return (
    <Modal
      open
      title={title}
      width={460}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          我已保存
        </Button>
      }
    >
      {children}
      <div className="id-secret">
        <code>{secret}</code>
        <Button onClick={() => void copyText(secret)}>复制</Button>
      </div>
      <p className="kq-muted">{note}</p>
    </Modal>
  );
}
