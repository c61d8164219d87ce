import { sql } from 'kysely';
import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { declareErrors, platformErrors, refuse } from '#kernel/contract/errors.ts';
import { event } from '#kernel/contract/event.ts';
import { id, text } from '#kernel/contract/fields.ts';
import { declarePermissions } from '#kernel/contract/permission.ts';
import { declareService } from '#kernel/contract/service.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import type { Staff, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { noScope, type LogRow } from '#kernel/server/ports.ts';

/** A tiny domain on the kernel's own tables, to test the mechanisms without any real domain. */
const permissions = declarePermissions('probe', { 'note.edit': { label: '维护便签', roles: '' } });
const errors = declareErrors({ TAKEN: ['SCM99001', '便签“{name}”已存在'] });
const service = declareService('ProbeService');
const base = { label: '便签', access: access.session } as const;

export const probeCalls = {
  list: service.list({ ...base, operation: 'queryNoteList', filter: {}, output: z.strictObject({ name: z.string() }) }),
  add: service.act({
    ...base,
    operation: 'addNote',
    access: permissions['note.edit'],
    message: '添加成功',
    input: { name: text('名称', 10, 1), password: z.optional(z.string()) },
    output: z.strictObject({ name: z.string() }),
  }),
  count: service.act({
    ...base,
    operation: 'countUp',
    input: { fail: z.optional(z.enum(['refuse', 'keep', 'crash'])) },
    output: z.null(),
  }),
  fresh: service.act({ ...base, operation: 'modifyNote', input: { id }, output: z.null() }),
  filed: service.act({
    ...base,
    operation: 'addFiledNote',
    input: {
      name: text('名称', 10, 1),
      productCode: text('产品编号', 20),
      productType: z.optional(z.array(text('产品类型', 5))),
    },
    query: ['productCode', 'productType'],
    output: z.strictObject({ name: z.string(), productCode: z.string(), productType: z.array(z.string()) }),
  }),
  leak: service.read({ ...base, operation: 'leakNote', access: access.public, input: {}, output: z.strictObject({ name: z.string() }) }),
  work: service.act({ ...base, operation: 'startWork', input: { text: z.string() }, output: z.null() }),
};

const noteAdded = event('probe.note.added', z.strictObject({ name: z.string() }));

export interface Probe {
  module: ServerModuleFactory;
  log: LogRow[];
  consumed: string[];
  done: string[];
  /** Jobs and consumers of whose failure somebody was told. */
  told: string[];
  /** Times that the consumer and the job still fail, and a note that the consumer cannot hear of. */
  failures: { consumer: number; job: number; named: string | null };
}

const staffFor = (token: string): Staff => ({
  userId: '1',
  userName: 'probe',
  displayName: '测试',
  opNo: 'KQ0001',
  sessionId: '1',
  sessionEndsAt: null,
  restricted: false,
  smsVerifiedAt: null,
  userRoleId: '1',
  roleCode: 'PROBE',
  roleName: '测试',
  scope: noScope,
  permissions: new Set(token === 'editor' ? ['probe.note.edit'] : []),
});

export function makeProbe(): Probe {
  const probe: Omit<Probe, 'module'> = { log: [], consumed: [], done: [], told: [], failures: { consumer: 0, job: 0, named: null } };
  const note = job<{ text: string }>({
    name: 'probe.note',
    label: '便签任务',
    retryLimit: 1,
    subject: (data) => data.text,
    async run(data) {
      if (probe.failures.job-- > 0) throw new Error('job failed');
      probe.done.push(data.text);
    },
  });
  const addSetting = (tx: Tx, name: string, at: string) =>
    sql`insert into kernel_setting (name, value, at) values (${name}, '1', ${at}) on conflict do nothing returning name`.execute(tx);
  return {
    ...probe,
    module: () => ({
      domain: 'probe',
      permissions: Object.values(permissions),
      routes: [],
      errors,
      events: [noteAdded],
      jobs: [note],
      consumers: [
        consumer('probe', noteAdded, async ({ payload, seq }, { tx, now }) => {
          await addSetting(tx, `consumed.${payload.name}`, now);
          if (probe.failures.consumer-- > 0 || probe.failures.named === payload.name) throw new Error('consumer failed');
          probe.consumed.push(`${payload.name}#${seq}`);
        }),
      ],
      ports: {
        sessions: {
          async read(_db, { token }) {
            if (token !== 'editor' && token !== 'reader') throw refuse(platformErrors.SESSION_EXPIRED);
            return { staff: staffFor(token) };
          },
          isLive: async () => false,
          contextOf: async () => null,
        },
        operationLog: { write: async (_tx, row) => void probe.log.push(row) },
        failureNotices: { notify: async (_tx, { name }) => void probe.told.push(name) },
      },
      handlers: [
        query(probeCalls.list, async (_input, { db }) => {
          const { rows } = await sql<{ name: string }>`select name from kernel_setting where name like 'note.%' order by name`.execute(db);
          return { rows, total: rows.length };
        }),
        command(probeCalls.add, async ({ name }, ctx) => {
          const { rows } = await addSetting(ctx.tx, `note.${name}`, ctx.now);
          if (rows.length === 0) throw refuse(errors.TAKEN, { name });
          ctx.target({ type: 'note', id: name });
          await ctx.publish(noteAdded, '1', { name });
          return { name };
        }),
        command(probeCalls.count, async ({ fail }, { tx, now }) => {
          await sql`insert into kernel_number (prefix, day, last) values ('PROBE', ${now}::date, 1)
            on conflict (prefix, day) do update set last = kernel_number.last + 1`.execute(tx);
          if (fail === 'refuse') throw refuse(platformErrors.NOT_FOUND);
          if (fail === 'keep') throw refuse(platformErrors.NOT_FOUND, { keepWrites: true });
          if (fail === 'crash') throw new Error('unexpected');
          return null;
        }),
        command(probeCalls.fresh, async (_input, ctx) => {
          await requireVersion(ctx, 'note', { id: '1', version: 3, updatedByName: '周敏' }, ctx.ifMatch, () => ({ name: '新' }));
          return null;
        }),
        command(probeCalls.filed, async ({ productType = [], ...rest }) => ({ ...rest, productType })),
        query(probeCalls.leak, async () => ({ name: 'a', secret: 'b' })),
        command(probeCalls.work, async ({ text: content }, ctx) => {
          await ctx.enqueue(note, { text: content });
          return null;
        }),
      ],
    }),
  };
}
