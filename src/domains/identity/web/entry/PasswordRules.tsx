import { passwordRules } from './passwordRules.ts';
import type { PasswordOwner } from './passwordRules.ts';

const classOf = (typed: boolean, kept: boolean | null) => (!typed || kept === null ? undefined : kept ? 'id-kept' : 'id-broken');

/** Every rule with ✓ or ✗ while the password is typed. */
export function PasswordRules({ password, owner }: { password: string; owner: PasswordOwner }) {
  return (
    <ul className="id-rules" aria-label="密码要求">
      {passwordRules.map((rule) => (
        <li key={rule.label} className={classOf(password !== '', rule.kept(password, owner))}>
          {rule.label}
        </li>
      ))}
    </ul>
  );
}
