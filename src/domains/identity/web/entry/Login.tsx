import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { useAntiDoubleClick } from '#kernel/web/http/antiDoubleClick.ts';
import { failureText, RefusalError } from '#kernel/web/http/refusal.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { loginIn } from '../../contract/calls/login.ts';
import { entryErrors } from '../../contract/entryErrors.ts';
import { CaptchaField } from './CaptchaField.tsx';
import { faultsOf } from './checks.ts';
import type { Faults } from './checks.ts';
import { EntryField } from './EntryField.tsx';
import { EntryFrame } from './EntryFrame.tsx';
import { enterWith, forwardIfLoggedIn } from './forward.ts';
import { useCaptcha } from './useCaptcha.ts';

const fields = ['userName', 'password', 'captcha'] as const;
type Field = (typeof fields)[number];

/** /login 登录: user name, password, captcha. */
export default function Login() {
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const captcha = useCaptcha();
  const [faults, setFaults] = useState<Faults<Field>>({});
  const [alert, setAlert] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const { blocked, block } = useAntiDoubleClick();
  const inputs = {
    userName: useRef<HTMLInputElement>(null),
    password: useRef<HTMLInputElement>(null),
    captcha: useRef<HTMLInputElement>(null),
  };
  // Read once: while the next page is being fetched, the address is that page's already.
  const [redirect] = useState(() => new URLSearchParams(location.search).get('redirect'));

  useEffect(() => void forwardIfLoggedIn(redirect), [redirect]);

  const show = (next: Faults<Field>, focus: Field | undefined) => {
    setFaults(next);
    if (focus) setTimeout(() => inputs[focus].current?.select());
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const missing: Faults<Field> = {
      ...(!userName.trim() && { userName: '请输入用户名' }),
      ...(!password && { password: '请输入密码' }),
      ...(!captcha.text && { captcha: '请输入图形验证码' }),
      // Without a picture nothing can be right; its own failure says why (too many asked for from here).
      ...(captcha.failure && { captcha: captcha.failure }),
    };
    setAlert(null);
    const first = fields.find((field) => missing[field]);
    show(missing, first);
    if (first || sending || blocked) return;
    block();
    setSending(true);
    try {
      const view = await send(
        loginIn,
        { method: 'PASSWORD', userName: userName.trim(), password, captchaId: await captcha.idOf(), captcha: captcha.text },
        { quiet: true },
      );
      enterWith(view, redirect);
    } catch (error) {
      await captcha.renew();
      const inline = error instanceof RefusalError ? faultsOf(error, fields) : {};
      const failed = fields.find((field) => inline[field]) ?? fieldOf(error);
      show(inline, failed);
      if (Object.keys(inline).length === 0) setAlert(failureText(error));
    } finally {
      setSending(false);
    }
  };

  return (
    <EntryFrame title="登录">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <EntryField
          ref={inputs.userName}
          label="用户名"
          name="userName"
          autoComplete="username"
          autoFocus
          value={userName}
          onChange={(value) => {
            setUserName(value);
            setFaults(({ userName: _, ...rest }) => rest);
          }}
          fault={faults.userName}
        />
        <EntryField
          ref={inputs.password}
          label="密码"
          name="password"
          secret
          autoComplete="current-password"
          maxLength={128}
          value={password}
          onChange={(value) => {
            setPassword(value);
            setFaults(({ password: _, ...rest }) => rest);
          }}
          fault={faults.password}
        />
        <CaptchaField
          ref={inputs.captcha}
          captcha={captcha}
          fault={faults.captcha}
          onChange={() => setFaults(({ captcha: _, ...rest }) => rest)}
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
        <PageLink to="/loginCode" search={redirect ? { redirect } : {}} className="id-link">
          验证码登录
        </PageLink>
        <PageLink to="/loginCode" search={{ next: '/editUsePwd' }} className="id-link">
          忘记密码
        </PageLink>
      </div>
    </EntryFrame>
  );
}

/** The field that a refusal is about. */
function fieldOf(error: unknown): Field {
  return error instanceof RefusalError && error.code === entryErrors.BAD_CAPTCHA.code ? 'captcha' : 'password';
}
