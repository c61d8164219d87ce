import { hash, type Options, verify } from '@node-rs/argon2';
import { refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { SecurityPolicy } from '../../contract/policy.ts';
import { own } from '../database.ts';

/**
 * The words behind the lists of most used passwords. A list of ten thousand passwords is mostly these words with
 * capitals, look-alike letters and a tail of digits or symbols, so a password is undone to its word first.
 */
const words = new Set(
  `password passwd passw0rd pass admin administrator root user guest test testing demo login welcome letmein changeme default secret
  master super superman superuser system service server manager operator support public private access temp temporary
  qwerty qwertyuiop qwertyui qwert qwer asdfghjkl asdfgh asdf zxcvbnm zxcvbn zxcv qazwsx qazwsxedc qaz wsx edc qwaszx zaq xsw
  qweasd qweasdzxc qwezxc asdzxc adgjmp zaqxsw cdevfr poiuytrewq lkjhgfdsa mnbvcxz azerty dvorak
  abc abcd abcdef abcdefg abcdefgh aaa aaaa abcabc xyz abcqwe iloveyou iloveu loveyou love lovely woaini woaiwojia aini
  woaini iaini nihao nishishui wodemima mima zhanghao dengluma guanliyuan mimamima caonima shabi wohenhao
  zhangwei wangwei lina zhangmin lijing wangfang liwei wangjing zhangli liuyang zhanglei wangli wangyan chenjing limei xiaoming
  xiaohong zhangsan lisi wangwu zhaoliu china zhongguo beijing shanghai guangzhou shenzhen hangzhou nanjing chengdu wuhan tianjin
  qq weixin taobao alibaba tencent huawei xiaomi baidu jingdong
  dragon monkey shadow sunshine princess football baseball basketball soccer hockey jordan michael jennifer michelle jessica
  ashley daniel thomas robert charlie andrew matthew joshua george anthony william hunter ranger buster killer pepper ginger
  cookie summer winter autumn spring monday friday freedom whatever starwars batman spiderman pokemon naruto matrix computer
  internet google facebook apple samsung microsoft windows linux oracle mysql postgres cisco hello helloworld world
  hospital doctor patient health medical insurance company office business money bank account finance
  trustno flower purple orange yellow silver golden diamond crystal angel heaven lucky happy smile forever family mother father
  baby angelina nicole amanda samantha elizabeth alexander benjamin jackson austin london paris newyork chelsea liverpool arsenal
  ferrari porsche mercedes bmw toyota honda harley corvette mustang tiger lion eagle phoenix falcon wolf panda rabbit kitty
  january february march april june july august september october november december qwerasdf asdfqwer zxcvasdf
  loveme fuckyou fuckoff biteme asshole bitch sexy hottie playboy cheese chocolate banana cherry peanut pumpkin
  a q w p x z aa qq ww abcde abcdefghi abcdefghij qwerty qwe asd zxc wasd`.split(/\s+/),
);

const lookAlike: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '3': 'e',
  $: 's',
  '5': 's',
  '1': 'i',
  '!': 'i',
  '7': 't',
};

/** Whether a password is one of the common ones: a common word, look-alike letters and a tail of digits and symbols undone. */
function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  const core = lower.replace(/^[^a-z@$]+/, '').replace(/[^a-z]+$/, '');
  const plain = (text: string) => text.replace(/./gs, (letter) => lookAlike[letter] ?? letter);
  const halves = /^(.{2,})\1+$/s.exec(core)?.[1];
  return (
    [core, plain(core), plain(core).replace(/i/g, 'l'), core.replace(/[^a-z]/g, ''), halves ?? ''].some(
      (text) => text !== '' && words.has(text),
    ) || !/[a-z]/.test(lower)
  );
}

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

/** argon2id (its number in the package's const enum), 19 MiB, 2 passes, 1 lane. */
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, options);

let nobody: Promise<string> | null = null;

/** Checks a password; a missing hash costs the same time, so that an unknown name is not told by the clock. */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password');
  const right = await verify(stored ?? (await nobody), password);
  return stored !== null && right;
}

/** Checks R5 and stores the password with its history. @throws SCM01011 naming the rule, SCM01012. */
export async function setPassword(
  tx: Tx,
  user: PasswordOwner & { id: string; passwordHash: string | null },
  password: string,
  policy: SecurityPolicy,
  now: Instant,
): Promise<void> {
  const rule = brokenPasswordRule(password, user, policy.passwordMinLength);
  if (rule) throw refuse(identityErrors.WEAK_PASSWORD, { rule });
  const history = await own(tx)
    .selectFrom('identityPasswordHistory')
    .select('passwordHash')
    .where('userId', '=', user.id)
    .orderBy('id', 'desc')
    .limit(policy.passwordHistory)
    .execute();
  const used = [...new Set([...(user.passwordHash ? [user.passwordHash] : []), ...history.map((one) => one.passwordHash)])];
  const matches = await Promise.all(used.map((stored) => checkPassword(stored, password)));
  if (matches.includes(true)) throw refuse(identityErrors.PASSWORD_REUSED);
  const passwordHash = await hashPassword(password);
  await own(tx)
    .updateTable('identityStaffUser')
    .set({
      passwordHash,
      passwordChangedAt: now,
      mustChangePassword: false,
      changeReason: null,
      tempPasswordExpiresAt: null,
      updatedAt: now,
    })
    .where('id', '=', user.id)
    .execute();
  await own(tx).insertInto('identityPasswordHistory').values({ userId: user.id, passwordHash, changedAt: now }).execute();
}
