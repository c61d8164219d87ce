import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addAdvertise, advertLabels, copyAdvertise, delAdvertise, modifyAdvertise } from '../../contract/adverts/calls.ts';
import { addBanner, copyBanner, delBanner, modifyBanner, sortBanner } from '../../contract/banners/calls.ts';
import type { DeliveryKind } from '../../contract/delivery/dictionaries.ts';
import { deliveryErrors } from '../../contract/delivery/errors.ts';
import { machines } from '../../contract/delivery/states.ts';
import { advertFacts, advertOf, sponsorOf, type AdvertInput, type Sponsor } from '../adverts/facts.ts';
import { ownTx } from '../database.ts';
import { publishDeliveryChanged } from './actions.ts';
import { storable } from './checks.ts';
import { keepCopied, keepFiles, targetOf } from './files.ts';
import { type Delivery, records } from './rows.ts';

export const PREFIXES = { BANNER: 'BN', AD: 'AD' } as const;
/** A copy that would be over already runs as long as its original, from now on. */
const SOON = minutes(60);

type Facts = Omit<CheckedInputOf<typeof addBanner>, 'bannerName'>;
interface Written {
  kind: DeliveryKind;
  name: string;
  facts: Facts;
  /** Of an advertisement. */
  advert: (ReturnType<typeof advertFacts> & Sponsor) | null;
}

const factsOf = ({ positionCode, imageFileId, altText, linkType, linkValue, linkParams, startAt, endAt, ...rest }: Facts): Facts => ({
  positionCode,
  imageFileId,
  altText,
  linkType,
  linkValue,
  linkParams,
  startAt,
  endAt,
  weekdays: rest.weekdays,
  dailyFrom: rest.dailyFrom,
  dailyTo: rest.dailyTo,
  audience: rest.audience,
  priority: rest.priority,
});
const bannerOf = (input: CheckedInputOf<typeof addBanner>): Written => ({
  kind: 'BANNER',
  name: input.bannerName,
  facts: factsOf(input),
  advert: null,
});
const advertisedOf = async (kernel: Kernel, ctx: CommandContext, input: AdvertInput): Promise<Written> => ({
  kind: 'AD',
  name: input.adName,
  facts: factsOf(input),
  advert: { ...advertFacts(input), ...(await sponsorOf(kernel, ctx, input)) },
});

async function add(kernel: Kernel, ctx: CommandContext, { kind, name, facts, advert }: Written) {
  const stored = await storable(kernel, ctx, kind, facts);
  const deliveryNo = await nextNumber(ctx.tx, PREFIXES[kind], ctx.today);
  const tx = ownTx(ctx.tx);
  const saved = await tx
    .insertInto('contentDelivery')
    .values({ kind, deliveryNo, name, ...stored, ...createdColumns(ctx) })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  if (advert)
    await tx
      .insertInto('contentAdvert')
      .values({ deliveryId: saved.id, ...advert })
      .execute();
  await keepFiles(ctx, { kind, id: saved.id, imageFileId: facts.imageFileId, approvalFileId: advert?.approvalFileId ?? null });
  ctx.target({ type: targetOf(kind), id: saved.id, no: deliveryNo });
  ctx.changed(differencesOf({}, { ...advert, ...facts, name }, advertLabels));
  return saved;
}

/** Drafts and what was sent back are written anew; an approved one goes through an audit again, as a copy. */
function requireEditable(kind: DeliveryKind, { state }: Delivery): void {
  if (state === 'APPROVED') throw refuse(deliveryErrors.AUDIT_AGAIN);
  if (state !== 'DRAFT' && state !== 'REJECTED')
    throw refuse(platformErrors.WRONG_STATE, { state: machines[kind].dictionary.label(state) });
}

const viewOf = ({ name, priority, startAt, endAt }: Delivery) => ({ name, priority, startAt, endAt });

async function modify(kernel: Kernel, ctx: CommandContext, { id, version }: { id: string; version: number }, written: Written) {
  const { kind, name, facts, advert } = written;
  const row = await records[kind].lockVersion(ctx, id, version, viewOf);
  requireEditable(kind, row);
  const stored = await storable(kernel, ctx, kind, facts);
  const tx = ownTx(ctx.tx);
  const before = advert && (await advertOf(ctx.tx, id));
  const saved = await tx
    .updateTable('contentDelivery')
    .set({ name, ...stored, version: row.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  if (advert) await tx.updateTable('contentAdvert').set(advert).where('deliveryId', '=', id).execute();
  await keepFiles(ctx, { kind, id, imageFileId: facts.imageFileId, approvalFileId: advert?.approvalFileId ?? null });
  ctx.target({ type: targetOf(kind), id, no: row.deliveryNo });
  ctx.changed(differencesOf({ ...before, ...row }, { ...advert, ...facts, name }, advertLabels));
  return saved;
}

async function remove(ctx: CommandContext, kind: DeliveryKind, { id, version }: { id: string; version: number }) {
  const row = await records[kind].lockVersion(ctx, id, version, viewOf);
  if (row.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: machines[kind].dictionary.label(row.state) });
  await ownTx(ctx.tx).deleteFrom('contentDelivery').where('id', '=', id).execute();
  ctx.target({ type: targetOf(kind), id, no: row.deliveryNo });
  ctx.changed([{ path: 'name', label: advertLabels.name, before: row.name, after: null }]);
  return {};
}

const NAME_ROOM = 30;
const copyName = (name: string) => `${name.slice(0, NAME_ROOM - 3)}-副本`;

/** A new draft like it; the approval's number and file are not copied, and its time begins anew where it is over. */
async function copy(ctx: CommandContext, kind: DeliveryKind, id: string) {
  const { id: _id, version: _version, ...row } = await records[kind].get(ctx.tx, ctx.staff, id);
  const tx = ownTx(ctx.tx);
  const deliveryNo = await nextNumber(ctx.tx, PREFIXES[kind], ctx.today);
  const over = Date.parse(row.endAt) <= Date.parse(ctx.now);
  const startAt = over ? plusMs(ctx.now, SOON) : row.startAt;
  const endAt = over ? plusMs(startAt, Date.parse(row.endAt) - Date.parse(row.startAt)) : row.endAt;
  const saved = await tx
    .insertInto('contentDelivery')
    .values({
      ...row,
      audience: JSON.stringify(row.audience),
      name: copyName(row.name),
      deliveryNo,
      startAt,
      endAt,
      state: 'DRAFT',
      submittedBy: null,
      submittedAt: null,
      auditedBy: null,
      auditedAt: null,
      opinion: null,
      offlineReason: '',
      ...createdColumns(ctx),
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  if (kind === 'AD') {
    const { deliveryId: _of, impressions: _shown, clicks: _clicked, checks: _checks, ...advert } = await advertOf(ctx.tx, id);
    await tx
      .insertInto('contentAdvert')
      .values({ ...advert, deliveryId: saved.id, approvalNo: '', approvalUntil: null, approvalFileId: null })
      .execute();
  }
  await keepCopied(ctx, { kind, id: saved.id, imageFileId: row.imageFileId });
  ctx.target({ type: targetOf(kind), id: saved.id, no: deliveryNo });
  ctx.changed([{ path: 'name', label: advertLabels.name, before: row.name, after: copyName(row.name) }]);
  return saved;
}

export const deliverySaves = (kernel: Kernel) => [
  command(addBanner, (input, ctx) => add(kernel, ctx, bannerOf(input))),
  command(modifyBanner, (input, ctx) => modify(kernel, ctx, input, bannerOf(input))),
  command(delBanner, (input, ctx) => remove(ctx, 'BANNER', input)),
  command(copyBanner, ({ id }, ctx) => copy(ctx, 'BANNER', id)),
];
export const advertSaves = (kernel: Kernel) => [
  command(addAdvertise, async (input, ctx) => add(kernel, ctx, await advertisedOf(kernel, ctx, input))),
  command(modifyAdvertise, async (input, ctx) => modify(kernel, ctx, input, await advertisedOf(kernel, ctx, input))),
  command(delAdvertise, (input, ctx) => remove(ctx, 'AD', input)),
  command(copyAdvertise, ({ id }, ctx) => copy(ctx, 'AD', id)),
];

const HIGHEST = 99;

/** The first of a place gets the highest priority; all of those that are and will be delivered there are named. */
export const sortBanners = command(sortBanner, async ({ positionCode, ids }, ctx) => {
  const tx = ownTx(ctx.tx);
  const rows = await tx
    .selectFrom('contentDelivery')
    .select(['id', 'deliveryNo', 'state', 'priority', 'pageCode', 'positionCode'])
    .where('kind', '=', 'BANNER')
    .where('positionCode', '=', positionCode)
    .where('state', '=', 'APPROVED')
    .where('endAt', '>', ctx.now)
    .orderBy('id')
    .forUpdate()
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  if (ids.some((id) => !byId.has(id))) throw refuse(platformErrors.NOT_FOUND, { message: 'Banner不存在或不在该位置投放' });
  if (new Set(ids).size !== ids.length || ids.length !== byId.size) throw refuseField('ids', '请包含该位置投放中和待投放的全部Banner');
  for (const [place, id] of ids.entries()) {
    const row = byId.get(id);
    const priority = HIGHEST - place;
    if (!row || row.priority === priority) continue;
    await moveState(ctx, machines.BANNER, {
      targetType: records.BANNER.type,
      targetId: id,
      targetNo: row.deliveryNo,
      action: 'adjust',
      from: row.state,
      differences: [{ path: 'priority', label: '优先级', before: row.priority, after: priority }],
    });
    await tx
      .updateTable('contentDelivery')
      .set({ priority, version: sql<number>`version + 1`, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
  }
  const [first] = rows;
  if (first) await publishDeliveryChanged(ctx, first);
  return {};
});
