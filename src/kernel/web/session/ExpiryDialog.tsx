import { Button, Modal } from 'antd';
import { DIALOG_WIDTH } from '../feedback/dialogs.tsx';
import { restartAtLogin } from './restart.ts';

/** 确定登出: cannot be closed; its single button leads to a fresh login. */
export default function ExpiryDialog({ message }: { message: string }) {
  return (
    <Modal
      open
      title="确定登出"
      width={DIALOG_WIDTH}
      className="kq-dialog"
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      zIndex={3000}
      footer={
        <Button type="primary" onClick={restartAtLogin}>
          重新登录
        </Button>
      }
    >
      {message}
    </Modal>
  );
}
