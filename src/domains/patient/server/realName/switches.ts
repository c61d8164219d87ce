import { sql, type Selectable } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { contains } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import {
  addRealNameSwitch,
  delRealNameSwitch,
  modifyRealNameSwitch,
  queryRealNameSwitchList,
  resolveRealNameSwitch,
  type RealNameSwitch,
  type ResolvedSwitch,
} from '../../contract/calls/realName.ts';
import {
  lockedScenes,
  minMethods,
  switchScenes,
  switchScopes,
  type MinMethod,
  type SwitchScene,
  type SwitchScope,
} from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { lockKeys, own, ownTx } from '../database.ts';
import type { PatientRealNameSwitch } from '../tables.ts';
import { floorsOf, type ItemFloor } from './floors.ts';

const TARGET = 'patient.realNameSwitch';
/** Narrower ones decide (R10). */
const NARROWEST_FIRST: readonly SwitchScope[] = ['SERVICE_ITEM', 'DOCTOR', 'DISEASE', 'CHANNEL', 'GLOBAL'];
const STRENGTH: readonly MinMethod[] = minMethods.codes;
/** The scene that an item's floor is about; later ones are locked by law anyway. */
const FLOOR_SCENE: SwitchScene = 'CONSULT';
const labels = { required: '须实名', minMethod: '最低核验方式', effectiveFrom: '生效时间', reason: '原因' };

type Row = Selectable<PatientRealNameSwitch>;

type Scoped = Pick<Row, 'scopeType' | 'scopeId' | 'scene'>;
type Floors = ReadonlyMap<string, ItemFloor>;
const hasFloor = ({ scopeType, scene }: Pick<Scoped, 'scopeType' | 'scene'>) => scopeType === 'SERVICE_ITEM' && scene === FLOOR_SCENE;
const floorsAt = (db: Db, rows: readonly Scoped[]): Promise<Floors> =>
  floorsOf(
    db,
    rows.filter(hasFloor).map(({ scopeId }) => scopeId),
  );
const lockOf = (row: Scoped, floors: Floors): 'LAW' | 'FLOOR' | null => {
  if (lockedScenes.includes(row.scene)) return 'LAW';
  return hasFloor(row) && floors.has(row.scopeId) ? 'FLOOR' : null;
};

const present = (row: Row, now: Instant, updatedBy: string | null, floors: Floors): RealNameSwitch => ({
  id: row.id,
  scopeType: row.scopeType,
  scopeId: row.scopeId,
  scopeName: row.scopeName,
  scene: row.scene,
  required: row.required,
  minMethod: row.minMethod,
  effectiveFrom: row.effectiveFrom,
  effective: row.effectiveFrom <= now,
  locked: lockOf(row, floors) !== null,
  reason: row.reason,
  version: row.version,
  updatedAt: row.updatedAt,
  updatedBy,
});

export interface SwitchQuestion {
  scene: SwitchScene;
  channelId?: string | undefined;
  diseaseId?: string | undefined;
  itemId?: string | undefined;
  doctorId?: string | undefined;
  /** The caller's own demand (a doctor's `realNameFloor`): the stricter wins. */
  floor?: MinMethod | null | undefined;
}

/** Whether a scene asks for a proven identity, by which method at least, and who decided so (R10). */
export async function resolveRealName(db: Db, question: SwitchQuestion, now: Instant): Promise<ResolvedSwitch> {
  const ids: Record<SwitchScope, string | undefined> = {
    GLOBAL: '0',
    CHANNEL: question.channelId,
    DISEASE: question.diseaseId,
    SERVICE_ITEM: question.itemId,
    DOCTOR: question.doctorId,
  };
  const rows = await own(db)
    .selectFrom('patientRealNameSwitch')
    .selectAll()
    .where('scene', '=', question.scene)
    .where('effectiveFrom', '<=', now)
    .execute();
  const row = NARROWEST_FIRST.map((scope) => rows.find((one) => one.scopeType === scope && one.scopeId === ids[scope])).find(Boolean);
  const byRow = row?.required ? row.minMethod : null;
  const byLaw = lockedScenes.includes(question.scene) ? ('ID2' as const) : null;
  const strongest = [byRow, byLaw, question.floor ?? null].reduce<MinMethod | null>(
    (best, one) => (one !== null && (best === null || STRENGTH.indexOf(one) > STRENGTH.indexOf(best)) ? one : best),
    null,
  );
  const rowDecides = row !== undefined && strongest === byRow;
  return {
    required: strongest !== null,
    minMethod: strongest,
    decidedBy: rowDecides ? { id: row.id, scopeType: row.scopeType, scopeId: row.scopeId, scopeName: row.scopeName } : null,
  };
}

/** @throws Refusal SCM09060 for a switch that the law or the item's own nature keeps on. */
async function requireAllowed(tx: Tx, row: Scoped, wish: { required: boolean; minMethod: MinMethod }): Promise<Floors> {
  const floors = await floorsAt(tx, [row]);
  const floor = hasFloor(row) ? floors.get(row.scopeId) : undefined;
  if (!wish.required && lockOf(row, floors) !== null) throw refuse(patientErrors.SWITCH_LOCKED);
  if (floor && STRENGTH.indexOf(wish.minMethod) < STRENGTH.indexOf(floor.minMethod))
    throw refuseField('minMethod', `最低方式不能低于${minMethods.label(floor.minMethod)}`);
  return floors;
}

const switches = recordOf((db) => own(db).selectFrom('patientRealNameSwitch as s').selectAll('s')).with({
  type: TARGET,
  id: 's.id',
  scope: unscoped,
});
const nameOf = (row: Pick<Row, 'scopeType' | 'scopeName' | 'scene'>) =>
  `${switchScopes.label(row.scopeType)}${row.scopeName ? `·${row.scopeName}` : ''} ${switchScenes.label(row.scene)}`;

/** Switches from the widest scope to the narrowest. */
const switchList = listOf(queryRealNameSwitchList)
  .from(({ db }) => own(db).selectFrom('patientRealNameSwitch as w'))
  .with({
    where: { scopeType: 'w.scopeType', scopeId: 'w.scopeId', scene: 'w.scene', keyword: contains('w.scopeName') },
    id: 'w.id',
    unsorted: 'switches from the widest scope to the narrowest',
    order: [
      [sql`array_position(array['GLOBAL','CHANNEL','DISEASE','SERVICE_ITEM','DOCTOR'], w.scope_type)`, 'asc'],
      ['w.scopeName', 'asc'],
      ['w.scene', 'asc'],
    ],
    select: (query) => query.selectAll('w'),
    async present(rows, { db, now }) {
      const people = await userBrief(
        db,
        rows.flatMap(({ updatedBy }) => updatedBy ?? []),
      );
      const users = new Map(people.map((user) => [user.userId, user.displayName]));
      const floors = await floorsAt(db, rows);
      return rows.map((row) => present(row, now, users.get(row.updatedBy ?? '') ?? null, floors));
    },
  });

export const switchHandlers: readonly Handler[] = [
  switchList.handler,
  command(addRealNameSwitch, async (input, ctx) => {
    if ((input.scopeType === 'GLOBAL') !== (input.scopeId === '0'))
      throw refuseField('scopeId', input.scopeType === 'GLOBAL' ? '全局配置没有适用对象' : '请选择适用对象');
    const floors = await requireAllowed(ctx.tx, input, input);
    await lockKeys(ctx.tx, [`switch:${input.scopeType}:${input.scopeId}:${input.scene}`]);
    const row = await ownTx(ctx.tx)
      .insertInto('patientRealNameSwitch')
      .values({ ...input, effectiveFrom: input.effectiveFrom ?? ctx.now, ...createdColumns(ctx) })
      .onConflict((conflict) => conflict.columns(['scopeType', 'scopeId', 'scene']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw refuse(patientErrors.SWITCH_EXISTS);
    ctx.target({ type: TARGET, id: row.id, no: nameOf(row) });
    ctx.changed(differencesOf({}, row, labels));
    return present(row, ctx.now, ctx.staff.displayName, floors);
  }),
  command(modifyRealNameSwitch, async ({ id, version, ...fields }, ctx) => {
    const before = await switches.lockVersion(ctx, id, version, ({ required, minMethod }) => ({ required, minMethod }));
    const floors = await requireAllowed(ctx.tx, before, fields);
    const row = await ownTx(ctx.tx)
      .updateTable('patientRealNameSwitch')
      .set((eb) => ({ ...fields, effectiveFrom: fields.effectiveFrom ?? ctx.now, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    ctx.target({ type: TARGET, id, no: nameOf(row) });
    ctx.changed(differencesOf(before, row, labels));
    return present(row, ctx.now, ctx.staff.displayName, floors);
  }),
  command(delRealNameSwitch, async ({ id, version }, ctx) => {
    const row = await switches.lockVersion(ctx, id, version, ({ required }) => ({ required }));
    await ownTx(ctx.tx).deleteFrom('patientRealNameSwitch').where('id', '=', id).execute();
    ctx.target({ type: TARGET, id, no: nameOf(row) });
    ctx.changed([{ path: 'required', label: labels.required, before: row.required, after: null }]);
    return { id };
  }),
  query(resolveRealNameSwitch, async (question, ctx) => {
    const asked: Scoped = { scopeType: 'SERVICE_ITEM', scopeId: question.itemId ?? '', scene: question.scene };
    const floors: Floors = question.itemId ? await floorsAt(ctx.db, [asked]) : new Map();
    const floor = floors.get(asked.scopeId);
    const answer = await resolveRealName(ctx.db, { ...question, floor: floor?.minMethod }, ctx.now);
    const byFloor = floor && { id: null, scopeType: 'FLOOR', scopeId: floor.itemId, scopeName: floor.name };
    return { ...answer, decidedBy: answer.decidedBy ?? byFloor ?? null, lockedBy: lockOf(asked, floors) };
  }),
];
