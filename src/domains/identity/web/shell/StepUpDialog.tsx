import { Alert, Button, Input, Modal } from 'antd';
import { useState } from 'react';
import { DIALOG_WIDTH } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { failureText, RefusalError } from '#kernel/web/http/refusal.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { verifyStepUp } from '../../contract/calls/login.ts';
import { entryErrors } from '../../contract/entryErrors.ts';
import { useSmsCode } from '../entry/useSmsCode.ts';

const CODE_LENGTH = 6;

/** 身份确认: a code to the person's own mobile, or the password where no SMS can be sent. */
export default function StepUpDialog({ onDone }: { onDone(proved: boolean): void }) {
  const mobile = useSession((state) => state.mobile);
  const sms = useSmsCode();
  const [byPassword, setByPassword] = useState(mobile === null);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const ask = async () => {
    setFault(null);
    try {
      await sms.ask({ purpose: 'STEP_UP' });
      toast('验证码已发送，请查收短信');
    } catch (error) {
      if (error instanceof RefusalError && error.code === entryErrors.SMS_UNAVAILABLE.code) setByPassword(true);
      else setFault(failureText(error));
    }
  };
  const confirm = async (given: string) => {
    if (byPassword ? !given : given.length !== CODE_LENGTH) {
      setFault(byPassword ? '请输入密码' : '请输入6位短信验证码');
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      const { smsVerifiedAt } = await send(verifyStepUp, byPassword ? { password: given } : { smsCode: given }, { quiet: true });
      useSession.setState({ smsVerifiedAt });
      onDone(true);
    } catch (error) {
      setFault(failureText(error));
      setText('');
    } finally {
      setBusy(false);
    }
  };
  const type = (value: string) => {
    const next = byPassword ? value : value.replaceAll(/\W/g, '').slice(0, CODE_LENGTH);
    setText(next);
    setFault(null);
    if (!byPassword && next.length === CODE_LENGTH && next !== text) void confirm(next);
  };
  return (
    <Modal
      open
      title="身份确认"
      width={DIALOG_WIDTH}
      className="kq-dialog"
      okText="确定"
      cancelText="取消"
      confirmLoading={busy}
      onOk={() => void confirm(text)}
      onCancel={() => onDone(false)}
      mask={{ closable: false }}
    >
      <p style={{ marginBottom: 12 }}>
        {byPassword ? '该操作需要确认您的身份，请输入您的登录密码。' : `该操作需要确认您的身份，验证码将发送至 ${mobile ?? ''}。`}
      </p>
      {byPassword ? (
        <Input.Password
          autoFocus
          value={text}
          autoComplete="current-password"
          placeholder="登录密码"
          aria-label="登录密码"
          onChange={(event) => type(event.target.value)}
          onPressEnter={() => void confirm(text)}
        />
      ) : (
        <div className="kq-row">
          <Input
            autoFocus
            value={text}
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="6位短信验证码"
            aria-label="短信验证码"
            onChange={(event) => type(event.target.value)}
            onPressEnter={() => void confirm(text)}
          />
          <Button disabled={sms.sending || sms.left > 0} onClick={() => void ask()}>
            {sms.label}
          </Button>
        </div>
      )}
      {fault && <Alert type="error" showIcon title={fault} style={{ marginTop: 12 }} />}
    </Modal>
  );
}
