import type { FieldFault } from '../../contract/envelope.ts';

/** The server answered with a code other than success. */
export class RefusalError extends Error {
  readonly code: string;
  /** Malformed requests only: what was wrong, per field path. */
  readonly fields: readonly FieldFault[];
  /** Facts that explain the refusal (`{current}` of a conflict). */
  readonly data: unknown;
  readonly traceId: string | undefined;

  constructor(code: string, message: string, extra: { fields?: readonly FieldFault[]; data?: unknown; traceId?: string } = {}) {
    super(message);
    this.name = 'RefusalError';
    this.code = code;
    this.fields = extra.fields ?? [];
    this.data = extra.data ?? null;
    this.traceId = extra.traceId;
  }
}

/** The request did not reach the server, or its answer did not reach the page. */
export class TransportError extends Error {
  readonly kind: 'timeout' | 'connection' | 'status';

  constructor(kind: 'timeout' | 'connection' | 'status') {
    super({ timeout: '请求超时', connection: '网络连接错误', status: '网络异常' }[kind]);
    this.name = 'TransportError';
    this.kind = kind;
  }
}

/** Chinese text of any failure, for places that show it themselves; where no field is marked, it says which are wrong. */
export function failureText(error: unknown): string {
  if (error instanceof RefusalError && error.fields.length > 0) return [...new Set(error.fields.map(({ message }) => message))].join('；');
  return error instanceof RefusalError || error instanceof TransportError ? error.message : '操作未完成，请稍后重试';
}
