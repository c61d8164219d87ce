import { Button, Modal } from 'antd';
import type { ReactNode } from 'react';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import './page.css';

interface OneTimeSecretProps {
  title: string;
  /** Null: closed. */
  secret: string | null;
  note: string;
  children?: ReactNode;
  onClose(): void;
}

/** Writes a text to the clipboard, also where the browser grants it to secure origins only. */
async function copy(text: string, within: HTMLElement | null): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // Inside the dialog: its focus trap would take the selection away otherwise.
  (within ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** Something that is shown once: a temporary password, an API secret. */
export function OneTimeSecret({ title, secret, note, children, onClose }: OneTimeSecretProps) {
  return (
    <Modal open={secret !== null} title={title} width={460} closable={false} keyboard={false} mask={{ closable: false }} footer={<Button type="primary" onClick={onClose}>我已保存</Button>}>
      {children}
      <div className="id-secret">
        <code>{secret}</code>
        <Button
          onClick={(event) => {
            const box = event.currentTarget.parentElement;
            void copy(secret ?? '', box).then(
              () => toast('已复制'),
              () => toast('复制失败，请手动选择', 'warning'),
            );
          }}
        >
          复制
        </Button>
      </div>
      <p className="kq-muted">{note}</p>
    </Modal>
  );
}
