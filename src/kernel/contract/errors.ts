import type { FieldFault } from './envelope.ts';

/** A refusal that a call may answer with: its code and a Chinese text that tells the operator what to do. */
export interface ErrorDeclaration {
  code: string;
  /** May hold `{name}` places that `refuse` fills. */
  text: string;
}

type Places<T extends string> = T extends `${string}{${infer P}}${infer Rest}` ? P | Places<Rest> : never;
type Params<T extends string> = [Places<T>] extends [never] ? [] : [params: Record<Places<T>, string | number>];

/**
 * Declares the refusals of a domain, as `NAME: ['SCM01001', '用户名或密码错误']`.
 * A test compares them with docs/design/codes.csv.
 */
export function declareErrors<const T extends Record<string, readonly [code: string, text: string]>>(table: T) {
  return Object.fromEntries(Object.entries(table).map(([name, [code, text]]) => [name, { code, text }])) as {
    [K in keyof T]: { code: T[K][0]; text: T[K][1] };
  };
}

export const platformErrors = declareErrors({
  SESSION_EXPIRED: ['SCM90002', '登录已过期，请重新登录'],
  SESSION_REPLACED: ['SCM90009', '您的账号已在其他地方登录，如非本人操作请尽快修改密码'],
  NO_PERMISSION: ['SCM90010', '没有权限：{permission}'],
  TOO_FREQUENT: ['SCM90011', '操作过于频繁，请{n}秒后再试'],
  MALFORMED: ['SCM90020', '请求内容有误，请检查标出的字段'],
  CHANGED: ['SCM90030', '该记录已被{name}修改，请查看变化后重试'],
  WRONG_STATE: ['SCM90031', '当前状态为{state}，不能执行该操作，请刷新后重试'],
  CONFLICT: ['SCM90032', '内容与已有记录重复，或刚被他人处理，请刷新后重试'],
  NOT_FOUND: ['SCM90040', '记录不存在或已删除'],
  DUPLICATE_REQUEST: ['SCM90050', '重复请求：该请求编号已用于其他内容'],
  UNAVAILABLE: ['SCM90060', '服务暂时不可用，请稍后重试'],
  BUSY: ['SCM90061', '该记录正在被他人处理，请稍后重试'],
  INTERNAL: ['SCM99999', '系统异常，请联系管理员（追踪号{traceId}）'],
});

interface RefusalExtra {
  /** What was wrong per field; makes the refusal a malformed request only with `platformErrors.MALFORMED`. */
  fields?: readonly FieldFault[];
  /** Facts that the page needs to explain the refusal (the current record of a conflict, for example). */
  data?: unknown;
  /** Replaces the declared text where the rule gives its own sentence for the same code. */
  message?: string;
  /** Commits what the command wrote although it is refused (failure counters, a voided code). */
  keepWrites?: boolean;
  /** What filled the places of the text. */
  params?: Record<string, string | number> | undefined;
}

/** Thrown to refuse a call. The transaction is rolled back and the envelope carries `code` and `message`. */
export class Refusal extends Error {
  readonly code: string;
  readonly fields: readonly FieldFault[] | undefined;
  readonly data: unknown;
  readonly keepWrites: boolean;
  readonly params: Readonly<Record<string, string | number>>;

  constructor(code: string, message: string, extra: RefusalExtra = {}) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.fields = extra.fields;
    this.data = extra.data ?? null;
    this.keepWrites = extra.keepWrites ?? false;
    this.params = extra.params ?? {};
  }
}

/** Fills the `{name}` places of a text. */
export function fillText(text: string, params: Record<string, string | number> = {}): string {
  return text.replaceAll(/\{([^{}]+)\}/g, (place, name: string) => (name in params ? String(params[name]) : place));
}

/** Makes the refusal of a declaration whose text has no places, or with its places filled: `throw refuse(errors.X, {n: 3})`. */
export function refuse<T extends string>(declaration: { code: string; text: T }, ...rest: [...Params<T>, extra?: RefusalExtra]): Refusal {
  const hasPlaces = /\{[^{}]+\}/.test(declaration.text);
  const params = hasPlaces ? (rest[0] as Record<string, string | number>) : undefined;
  const extra = (hasPlaces ? rest[1] : rest[0]) as RefusalExtra | undefined;
  return new Refusal(declaration.code, extra?.message ?? fillText(declaration.text, params), { ...extra, params });
}

/** Refuses a request whose single field is wrong, in the form of a malformed request. */
export function refuseField(path: string, message: string): Refusal {
  return refuse(platformErrors.MALFORMED, { fields: [{ path, message }] });
}
