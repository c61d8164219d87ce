import type { Call } from '../../contract/call.ts';
import { SUCCESS, type Envelope } from '../../contract/envelope.ts';
import { fillText, platformErrors, Refusal } from '../../contract/errors.ts';
import { DatabaseAway, PoolFull } from '../database/away.ts';
import { duplicateOf, isBusy } from '../database/failures.ts';
import { AnswerWithMessage } from '../handler.ts';

interface ListResult {
  rows: unknown[];
  total: number;
  nextCursor?: string;
}

/** Wraps what a handler answered in the envelope of its call's shape. */
export function envelopeOf(call: Call, result: unknown): Envelope {
  const answer = result instanceof AnswerWithMessage ? result : new AnswerWithMessage(result, call.message ?? '操作成功');
  const success = { code: SUCCESS, message: answer.message };
  if (call.shape === 'list' || call.shape === 'cursor') {
    const { rows, total, nextCursor } = answer.data as ListResult;
    const data = call.shape === 'list' ? rows : { rows, ...(nextCursor ? { nextCursor } : {}) };
    return { ...success, data, totalRecordCount: total };
  }
  return { ...success, data: answer.data ?? null };
}

/**
 * Envelope of a refusal; while the database is away or busy it asks for patience; anything else that was thrown is an internal error that
 * shows only its trace id.
 */
export function refusalOf(error: unknown, traceId: string): Envelope {
  if (error instanceof Refusal) {
    return {
      code: error.code,
      message: error.message,
      data: error.data ?? null,
      ...(error.fields ? { fields: error.fields } : {}),
    };
  }
  if (error instanceof DatabaseAway)
    return { code: platformErrors.UNAVAILABLE.code, message: platformErrors.UNAVAILABLE.text, data: null, traceId };
  if (error instanceof PoolFull || isBusy(error))
    return { code: platformErrors.BUSY.code, message: platformErrors.BUSY.text, data: null, traceId };
  // Whoever knows which rows may meet says so by a code of his own; whoever does not has not written anything all the same.
  if (duplicateOf(error) !== null)
    return { code: platformErrors.CONFLICT.code, message: platformErrors.CONFLICT.text, data: null, traceId };
  const { code, text } = platformErrors.INTERNAL;
  return { code, message: fillText(text, { traceId }), data: null, traceId };
}

/** Only a malformed request is HTTP 400; every other refusal travels as 200 with its code. */
export const statusOf = (envelope: Envelope): number => (envelope.code === platformErrors.MALFORMED.code ? 400 : 200);

/**
 * Finds what an answer holds beyond its schema; checked outside production, so that no field leaks unnoticed.
 * @throws with the paths of the surplus or wrong fields.
 */
export function assertDeclaredOutput(call: Call, result: unknown): void {
  const value = result instanceof AnswerWithMessage ? result.data : result;
  const rows = call.shape === 'list' || call.shape === 'cursor' ? (value as ListResult).rows : [value ?? null];
  for (const row of rows) {
    const checked = call.output.safeParse(row);
    if (!checked.success) {
      throw new Error(`${call.name} answers what its contract does not declare: ${JSON.stringify(checked.error.issues).slice(0, 800)}`);
    }
  }
}
