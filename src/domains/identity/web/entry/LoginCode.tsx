import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { useAntiDoubleClick } from '#kernel/web/http/antiDoubleClick.ts';
import { failureText, RefusalError } from '#kernel/web/http/refusal.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { loginIn } from '../../contract/calls/login.ts';
import { entryErrors } from '../../contract/entryErrors.ts';
import { CaptchaField } from './CaptchaField.tsx';
import { MOBILE } from '#kernel/contract/plainText.ts';
import { faultsOf } from './checks.ts';
import type { Faults } from './checks.ts';
import { EntryField } from './EntryField.tsx';
import { EntryFrame } from './EntryFrame.tsx';
import { enterWith, forwardIfLoggedIn } from './forward.ts';
import { useCaptcha } from './useCaptcha.ts';
import { useSmsCode } from './useSmsCode.ts';

const fields = ['mobile', 'captcha', 'smsCode'] as const;
type Field = (typeof fields)[number];
const CODE_LENGTH = 6;
const PASSWORD_PAGE = '/editUsePwd';

const aimOf = (search: URLSearchParams) => {
  const forgotten = search.get('next') === PASSWORD_PAGE;
  return { forgotten, redirect: forgotten ? PASSWORD_PAGE : search.get('redirect') };
};

/** /loginCode 验证码登录: mobile and SMS code; `next=/editUsePwd` leads to the password page afterwards. */
export default function LoginCode() {
  const [mobile, setMobile] = useState('');
  const [smsCode, setSmsCode] = useState('');
  const captcha = useCaptcha();
  const sms = useSmsCode();
  const [faults, setFaults] = useState<Faults<Field>>({});
  const [alert, setAlert] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const { blocked, block } = useAntiDoubleClick();
  const inputs = {
    mobile: useRef<HTMLInputElement>(null),
    captcha: useRef<HTMLInputElement>(null),
    smsCode: useRef<HTMLInputElement>(null),
  };
  // Read once: while the next page is being fetched, the address is that page's already.
  const [{ forgotten, redirect }] = useState(() => aimOf(new URLSearchParams(location.search)));

  useEffect(() => void forwardIfLoggedIn(redirect), [redirect]);

  const show = (next: Faults<Field>) => {
    setFaults(next);
    const first = fields.find((field) => next[field]);
    if (first) setTimeout(() => inputs[first].current?.focus());
    return first !== undefined;
  };
  const clear = (field: Field) => setFaults((now) => ({ ...now, [field]: undefined }));
  const faultsOfMobile = (): Faults<Field> => (MOBILE.test(mobile) ? {} : { mobile: '请输入正确的手机号' });

  const ask = async () => {
    setAlert(null);
    if (show({ ...faultsOfMobile(), ...(!captcha.text && { captcha: '请输入图形验证码' }) })) return;
    try {
      await sms.ask({ mobile, purpose: 'LOGIN', captchaId: await captcha.idOf(), captcha: captcha.text });
      toast('验证码已发送，请查收短信');
      inputs.smsCode.current?.focus();
    } catch (error) {
      const inline = error instanceof RefusalError ? faultsOf(error, fields) : {};
      if (error instanceof RefusalError && error.code === entryErrors.BAD_CAPTCHA.code) inline.captcha = error.message;
      if (!show(inline)) setAlert(failureText(error));
    }
    // A captcha serves once.
    await captcha.renew();
  };
  const login = async (code: string) => {
    setAlert(null);
    if (show({ ...faultsOfMobile(), ...(code.length !== CODE_LENGTH && { smsCode: '请输入6位短信验证码' }) }) || sending) return;
    block();
    setSending(true);
    try {
      enterWith(await send(loginIn, { method: 'SMS', mobile, smsCode: code }, { quiet: true }), redirect);
    } catch (error) {
      const inline = error instanceof RefusalError ? faultsOf(error, fields) : {};
      if (!show(inline)) {
        setAlert(failureText(error));
        setSmsCode('');
        inputs.smsCode.current?.focus();
      }
    } finally {
      setSending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!blocked) void login(smsCode);
  };
  const typeCode = (value: string) => {
    const digits = value.replaceAll(/\W/g, '').slice(0, CODE_LENGTH);
    setSmsCode(digits);
    clear('smsCode');
    if (digits.length === CODE_LENGTH && digits !== smsCode) void login(digits);
  };

  return (
    <EntryFrame title="验证码登录" subtitle={forgotten ? '验证手机号后即可设置新密码' : '使用账号绑定的手机号登录'}>
      <form onSubmit={submit} noValidate>
        <EntryField
          ref={inputs.mobile}
          label="手机号"
          name="mobile"
          autoComplete="tel-national"
          inputMode="tel"
          maxLength={11}
          autoFocus
          value={mobile}
          onChange={(value) => {
            setMobile(value.replaceAll(/\D/g, ''));
            clear('mobile');
          }}
          fault={faults.mobile}
        />
        <CaptchaField ref={inputs.captcha} captcha={captcha} fault={faults.captcha} onChange={() => clear('captcha')} />
        <EntryField
          ref={inputs.smsCode}
          label="短信验证码"
          name="smsCode"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={CODE_LENGTH}
          value={smsCode}
          onChange={typeCode}
          fault={faults.smsCode}
          beside={
            <button type="button" className="id-code" disabled={sms.sending || sms.left > 0} onClick={() => void ask()}>
              {sms.label}
            </button>
          }
        />
        {alert && (
          <div className="id-alert" role="alert">
            {alert}
          </div>
        )}
        <button type="submit" className="id-submit" disabled={sending || blocked}>
          {sending ? '登录中…' : '登录'}
        </button>
      </form>
      <div className="id-links">
        <PageLink to="/login" search={redirect && !forgotten ? { redirect } : {}} className="id-link">
          密码登录
        </PageLink>
      </div>
    </EntryFrame>
  );
}
