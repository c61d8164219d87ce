/** Whom a new password must not name. */
export interface PasswordOwner {
  loginName: string;
  opNo: string;
  /** Masked: `138****5678`. */
  mobile: string | null;
}

interface Rule {
  label: string;
  /** Null: only the server can tell. */
  kept(password: string, owner: PasswordOwner): boolean | null;
}

const LEAST = 10;
const MOST = 64;
const kinds = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z0-9]/];

/** Four equal characters, or four digits or letters that follow each other up or down. */
export function hasRun(password: string): boolean {
  const codes = Array.from(password.toLowerCase(), (letter) => letter.codePointAt(0)!);
  return [0, 1, -1].some((step) => {
    let length = 1;
    return codes.some((code, index) => {
      const before = codes[index - 1];
      const follows =
        before !== undefined && code - before === step && (step === 0 || /^(\d\d|[a-z][a-z])$/.test(String.fromCodePoint(before, code)));
      length = follows ? length + 1 : 1;
      return length >= 4;
    });
  });
}

/** Whether it holds a number that the masked one could stand for. */
function holdsMobile(password: string, masked: string | null): boolean {
  if (!masked || !/^\d{3}\*+\d{4}$/.test(masked)) return false;
  return new RegExp(`${masked.slice(0, 3)}\\d{4}${masked.slice(-4)}`).test(password);
}

/** R5 as the operator sees it while typing; the server checks all of it again. */
export const passwordRules: readonly Rule[] = [
  { label: `长度为${LEAST}-${MOST}位`, kept: (password) => Array.from(password).length >= LEAST && Array.from(password).length <= MOST },
  { label: '包含大写字母、小写字母、数字、符号中的至少三种', kept: (password) => kinds.filter((kind) => kind.test(password)).length >= 3 },
  {
    label: '不包含用户名、工号或手机号',
    kept: (password, owner) => {
      const lower = password.toLowerCase();
      return (
        ![owner.loginName, owner.opNo].some((part) => part && lower.includes(part.toLowerCase())) && !holdsMobile(password, owner.mobile)
      );
    },
  },
  { label: '没有4个及以上相同或连续的字符', kept: (password) => !hasRun(password) },
  { label: '不是常见密码，且未在最近5次中使用（提交时检查）', kept: () => null },
];

/** Label of the first rule that is broken. */
export const firstBroken = (password: string, owner: PasswordOwner): string | undefined =>
  passwordRules.find((rule) => rule.kept(password, owner) === false)?.label;
