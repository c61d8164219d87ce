import { useState } from 'react';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { verifyStepUp } from '../../contract/calls/login.ts';
import { EntryField } from './EntryField.tsx';
import { useSmsCode } from './useSmsCode.ts';

/** Proves who one is by SMS instead of the old password. */
export function SmsProof({ mobile, onProved }: { mobile: string; onProved(): void }) {
  const sms = useSmsCode();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string>();
  const ask = async () => {
    setFault(undefined);
    try {
      await sms.ask({ purpose: 'STEP_UP' });
      toast('验证码已发送，请查收短信');
    } catch (error) {
      setFault(failureText(error));
    }
  };
  const verify = async (smsCode: string) => {
    try {
      const { smsVerifiedAt } = await send(verifyStepUp, { smsCode }, { quiet: true });
      useSession.setState({ smsVerifiedAt });
      onProved();
    } catch (error) {
      setFault(failureText(error));
      setCode('');
    }
  };
  const type = (value: string) => {
    const digits = value.replaceAll(/\W/g, '').slice(0, 6);
    setCode(digits);
    setFault(undefined);
    if (digits.length === 6 && digits !== code) void verify(digits);
  };
  return (
    <EntryField
      label={`短信验证码（发送至 ${mobile}）`}
      name="smsCode"
      autoComplete="one-time-code"
      inputMode="numeric"
      value={code}
      onChange={type}
      fault={fault}
      beside={
        <button type="button" className="id-code" disabled={sms.sending || sms.left > 0} onClick={() => void ask()}>
          {sms.label}
        </button>
      }
    />
  );
}
