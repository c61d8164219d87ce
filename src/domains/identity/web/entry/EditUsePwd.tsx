import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { minutes } from '#kernel/contract/time.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { useAntiDoubleClick } from '#kernel/web/http/antiDoubleClick.ts';
import { failureText, RefusalError } from '#kernel/web/http/refusal.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { leave } from '#kernel/web/session/enter.ts';
import { modifyPassword } from '../../contract/calls/login.ts';
import { restrictedReasons } from '../../contract/dictionaries.ts';
import { entryErrors } from '../../contract/entryErrors.ts';
import { policyDefaults } from '../../contract/policy.ts';
import { faultsOf } from './checks.ts';
import type { Faults } from './checks.ts';
import { EntryField } from './EntryField.tsx';
import { EntryFrame } from './EntryFrame.tsx';
import { enterWith } from './forward.ts';
import { firstBroken } from './passwordRules.ts';
import { PasswordRules } from './PasswordRules.tsx';
import { SmsProof } from './SmsProof.tsx';
import { useOwnSession } from './useOwnSession.ts';

const fields = ['oldPassword', 'newPassword', 'repeated'] as const;
type Field = (typeof fields)[number];

const isRecent = (at: string | null): boolean => at !== null && Date.now() - Date.parse(at) < minutes(policyDefaults.stepUpMinutes);

/** /editUsePwd 重置密码: old password or a fresh SMS confirmation, then the new one twice. */
export default function EditUsePwd() {
  const { session, ready, failure } = useOwnSession();
  const [values, setValues] = useState<Record<Field, string>>({ oldPassword: '', newPassword: '', repeated: '' });
  const [faults, setFaults] = useState<Faults<Field>>({});
  const [alert, setAlert] = useState<string | null>(null);
  const [proving, setProving] = useState(false);
  const [sending, setSending] = useState(false);
  const { blocked, block } = useAntiDoubleClick();
  const inputs = {
    oldPassword: useRef<HTMLInputElement>(null),
    newPassword: useRef<HTMLInputElement>(null),
    repeated: useRef<HTMLInputElement>(null),
  };

  if (!ready)
    return (
      <EntryFrame title="重置密码" subtitle={failure ? `加载失败：${failure}` : '加载中…'}>
        {failure && <LogoutLink />}
      </EntryFrame>
    );

  const proved = isRecent(session.smsVerifiedAt);
  const owner = { loginName: session.loginName, opNo: session.opNo ?? '', mobile: session.mobile };
  const change = (field: Field) => (value: string) => {
    setValues((now) => ({ ...now, [field]: value }));
    setFaults((now) => ({ ...now, [field]: undefined }));
  };
  const show = (next: Faults<Field>) => {
    setFaults(next);
    const first = fields.find((field) => next[field]);
    if (first) setTimeout(() => inputs[first].current?.select());
    return first !== undefined;
  };
  const check = (): Faults<Field> => {
    const broken = firstBroken(values.newPassword, owner);
    return {
      ...(!proved && !values.oldPassword && { oldPassword: '请输入原密码' }),
      ...(!values.newPassword ? { newPassword: '请输入新密码' } : broken && { newPassword: `新密码不符合要求：${broken}` }),
      ...(values.repeated !== values.newPassword && { repeated: '两次输入的密码不一致' }),
    };
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAlert(null);
    if (show(check()) || sending || blocked) return;
    block();
    setSending(true);
    try {
      const view = await send(
        modifyPassword,
        { newPassword: values.newPassword, ...(!proved && { oldPassword: values.oldPassword }) },
        { quiet: true },
      );
      toast('修改成功!');
      enterWith(view, null);
    } catch (error) {
      if (!(error instanceof RefusalError) || !show(faultsFor(error))) setAlert(failureText(error));
    } finally {
      setSending(false);
    }
  };

  return (
    <EntryFrame title="重置密码" subtitle={`${session.userName}（${session.opNo ?? ''}）`} wide>
      {session.restricted && <div className="id-notice">{restrictedReasons.label(session.restrictedReason ?? 'FIRST')}</div>}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <input type="text" name="userName" autoComplete="username" value={session.loginName} readOnly hidden />
        {proved ? (
          <p className="id-sub">已通过短信验证，无需输入原密码</p>
        ) : proving && session.mobile ? (
          <>
            <SmsProof mobile={session.mobile} onProved={() => setProving(false)} />
            <SwitchProof onClick={() => setProving(false)}>用原密码验证</SwitchProof>
          </>
        ) : (
          <EntryField
            ref={inputs.oldPassword}
            label="原密码"
            name="oldPassword"
            secret
            autoComplete="current-password"
            maxLength={128}
            autoFocus
            value={values.oldPassword}
            onChange={change('oldPassword')}
            fault={faults.oldPassword}
            below={session.mobile && <SwitchProof onClick={() => setProving(true)}>用短信验证代替</SwitchProof>}
          />
        )}
        <EntryField
          ref={inputs.newPassword}
          label="新密码"
          name="newPassword"
          secret
          autoComplete="new-password"
          maxLength={128}
          value={values.newPassword}
          onChange={change('newPassword')}
          fault={faults.newPassword}
          below={<PasswordRules password={values.newPassword} owner={owner} />}
        />
        <EntryField
          ref={inputs.repeated}
          label="确认新密码"
          name="repeated"
          secret
          autoComplete="new-password"
          maxLength={128}
          value={values.repeated}
          onChange={change('repeated')}
          fault={faults.repeated}
        />
        {alert && (
          <div className="id-alert" role="alert">
            {alert}
          </div>
        )}
        <button type="submit" className="id-submit" disabled={sending || blocked}>
          {sending ? '提交中…' : '确定'}
        </button>
      </form>
      <div className="id-links">
        {session.restricted ? (
          <LogoutLink />
        ) : (
          <button type="button" className="id-link" onClick={() => goTo('/')}>
            返回
          </button>
        )}
      </div>
    </EntryFrame>
  );
}

function SwitchProof({ onClick, children }: { onClick(): void; children: string }) {
  return (
    <p style={{ margin: '6px 0 12px' }}>
      <button type="button" className="id-link" onClick={onClick}>
        {children}
      </button>
    </p>
  );
}

function LogoutLink() {
  return (
    <button type="button" className="id-link" onClick={() => void leave()}>
      退出登录
    </button>
  );
}

/** Refusals that belong to one of the fields. */
function faultsFor(error: RefusalError): Faults<Field> {
  switch (error.code) {
    case entryErrors.WRONG_OLD_PASSWORD.code:
      return { oldPassword: error.message };
    case entryErrors.WEAK_PASSWORD.code:
    case entryErrors.PASSWORD_REUSED.code:
      return { newPassword: error.message };
    default:
      return faultsOf(error, fields);
  }
}
