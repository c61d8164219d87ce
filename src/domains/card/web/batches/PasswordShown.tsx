import { Button, Modal } from 'antd';

/** The password of a file of secrets, this once. */
export function PasswordShown({ password, onClose }: { password: string; onClose(): void }) {
  const close = (
    <Button type="primary" onClick={onClose}>
      已记下
    </Button>
  );
  return (
    <Modal open title="卡密文件密码" footer={close} closable={false} mask={{ closable: false }}>
      <p>只显示这一次，关闭后不能再查看：</p>
      <p>
        <code>{password}</code>
      </p>
    </Modal>
  );
}
