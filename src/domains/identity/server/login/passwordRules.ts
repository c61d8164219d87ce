import { isCommonPassword } from './commonPasswords.ts';

export interface PasswordOwner {
  userName: string;
  opNo: string;
  mobile: string | null;
}

const kinds = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z0-9]/];

/** Four equal characters, or four that follow each other up or down (`abcd`, `4321`). */
function hasRun(password: string): boolean {
  const codes = Array.from(password.toLowerCase(), (letter) => letter.codePointAt(0)!);
  return [0, 1, -1].some((step) => {
    let length = 1;
    return codes.some((code, index) => {
      const follows = index > 0 && code - codes[index - 1]! === step;
      // Consecutive means within digits or within letters, not `9` and `:`.
      const sameKind = index > 0 && (step === 0 || /^(\d\d|[a-z][a-z])$/.test(String.fromCodePoint(codes[index - 1]!, code)));
      length = follows && sameKind ? length + 1 : 1;
      return length >= 4;
    });
  });
}

/**
 * R5: the first rule that a new password breaks, named for the operator; null when it keeps all.
 * The last-five rule needs the stored hashes and is checked where the password is set.
 */
export function brokenPasswordRule(password: string, owner: PasswordOwner, minLength = 10): string | null {
  const length = Array.from(password).length;
  if (length < minLength || length > 64) return `长度须为${minLength}-64位`;
  if (kinds.filter((kind) => kind.test(password)).length < 3) return '须包含大写字母、小写字母、数字、符号中的至少三种';
  const lower = password.toLowerCase();
  const forbidden = [owner.userName, owner.opNo, ...(owner.mobile ? [owner.mobile] : [])];
  if (forbidden.some((part) => part !== '' && lower.includes(part.toLowerCase()))) return '不能包含用户名、工号或手机号';
  if (hasRun(password)) return '不能有4个及以上相同或连续的字符';
  if (isCommonPassword(password)) return '该密码过于常见';
  return null;
}
