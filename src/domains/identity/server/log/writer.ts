import { CompiledQuery } from 'kysely';
import { WITH_COMMIT } from '#kernel/server/database/roundTrips.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { Difference } from '#kernel/server/context.ts';
import type { LogRow, OperationLogWriter } from '#kernel/server/ports.ts';
import { json, own } from '../database.ts';
import { conceal, concealText } from './conceal.ts';

const DIFF_BYTES = 32 * 1024;
const INPUT_BYTES = 8 * 1024;
const TARGETS = 200;

/** As many differences as fit; whether some were left out. */
function cutDiff(diff: readonly Difference[]): { kept: Difference[]; truncated: boolean } {
  let bytes = 2;
  const kept: Difference[] = [];
  for (const one of diff) {
    bytes += Buffer.byteLength(json(one)) + 1;
    if (bytes > DIFF_BYTES) return { kept, truncated: true };
    kept.push(one);
  }
  return { kept, truncated: false };
}

function cutInput(input: unknown): unknown {
  const text = json(input ?? {});
  return Buffer.byteLength(text) <= INPUT_BYTES ? (input ?? {}) : { truncated: true, beginning: text.slice(0, 2_000).toWellFormed() };
}

/** Columns of a log row as they are stored, numbers of persons and cards masked. */
export function logColumns(secrets: Secrets, row: LogRow) {
  const { kept, truncated } = cutDiff(conceal(secrets, row.diff) as Difference[]);
  // One that was looked at first and moved then is one.
  const targets = [...Map.groupBy(row.targets, ({ type, id }) => `${type} ${id}`).values()].map(([target]) => target!);
  const [first] = targets;
  return {
    at: row.at,
    traceId: row.traceId,
    durationMs: Math.max(0, Math.round(row.durationMs)),
    userId: row.staff?.userId ?? null,
    opNo: row.staff?.opNo ?? null,
    displayName: row.staff?.displayName ?? null,
    roleCode: row.staff?.roleCode ?? null,
    userRoleId: row.staff?.userRoleId ?? null,
    apiClientId: row.staff ? null : row.apiClientId,
    jobName: row.staff || row.apiClientId ? null : row.jobName,
    menuRouteKey: row.menuRouteKey?.slice(0, 100) ?? null,
    pageToken: row.pageToken ?? null,
    datasetCode: row.datasetCode ?? null,
    call: row.call,
    label: row.label,
    kind: row.kind,
    targetType: first?.type ?? null,
    targetId: first?.id ?? null,
    targetNo: first?.no === undefined ? null : concealText(secrets, first.no),
    targetIds: json(targets.slice(0, TARGETS).map(({ id }) => id)),
    targetCount: targets.length,
    diff: json(kept),
    diffTruncated: truncated,
    input: json(cutInput(conceal(secrets, row.input))),
    resultCode: row.resultCode,
    message: row.message === '' ? null : concealText(secrets, row.message).slice(0, 500),
    ip: row.ip,
    userAgent: row.userAgent.slice(0, 500),
    idempotencyKey: row.idempotencyKey,
  };
}

/** R9: one row, in the transaction it is given. Every command writes one, so its statement is composed once, not each time. */
export function operationLogWriter(secrets: Secrets): OperationLogWriter {
  let text: string | undefined;
  return {
    async write(db, row) {
      const columns = logColumns(secrets, row);
      text ??= own(db).insertInto('identityOperationLog').values(columns).compile().sql + WITH_COMMIT;
      await db.executeQuery(CompiledQuery.raw(text, Object.values(columns)));
    },
  };
}
