import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { createSceneCode, switchSceneCode } from '#domains/channel/server/index.ts';
import type { CardField } from '../../contract/calls/cards.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { cardMachine } from '../../contract/staffStates.ts';
import { ownTx } from '../database.ts';
import type { Drawing } from './drawing.ts';
import { cardFacts, doctorFacts, hashOf, type CardFacts, type Looks, type Template } from './facts.ts';

export const CARD_TARGET = 'doctor.card';
export type CardState = keyof typeof cardMachine.states & string;

export async function lockCard(tx: Tx, doctorId: string) {
  return ownTx(tx).selectFrom('doctorCard').selectAll().where('doctorId', '=', doctorId).forUpdate().executeTakeFirst();
}
type CardRow = NonNullable<Awaited<ReturnType<typeof lockCard>>>;

export const looksOf = (row: { template: Template; headline: string; showFields: readonly string[] }): Looks => ({
  template: row.template,
  headline: row.headline,
  showFields: row.showFields as CardField[],
});

/** Moves a card, with its trail. */
export async function moveCard(
  ctx: Acting,
  row: Pick<CardRow, 'id' | 'doctorId' | 'state'>,
  action: keyof typeof cardMachine.transitions & string,
  set: object = {},
  opinion?: string,
): Promise<CardState> {
  const state = await moveState(ctx, cardMachine, {
    targetType: CARD_TARGET,
    targetId: row.doctorId,
    action,
    from: row.state,
    opinion,
  });
  await ownTx(ctx.tx)
    .updateTable('doctorCard')
    .set((eb) => ({ state, failReason: null, version: eb('version', '+', 1), updatedAt: ctx.now, ...set }))
    .where('id', '=', row.id)
    .execute();
  return state;
}

export async function bytesOf(
  kernel: { ports: Pick<Kernel['ports'], 'files'> },
  db: Db | Tx,
  fileId: string | null,
): Promise<Buffer | null> {
  if (fileId === null) return null;
  const { body } = await kernel.ports.files.openRead(db, fileId);
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The code that a card carries; made with the first card and kept, so that printed ones stay good. */
async function codeOf(
  kernel: Kernel,
  ctx: Writing & { now: string },
  row: CardRow,
  doctor: { name: string; channelId: string | null },
): Promise<string> {
  if (row.sceneCodeId !== null && row.codeLink !== null) {
    await switchSceneCode(ctx, row.sceneCodeId, true);
    return row.codeLink;
  }
  const { codeId, link } = await createSceneCode(kernel, ctx, {
    doctorId: row.doctorId,
    doctorName: doctor.name,
    channelId: doctor.channelId,
  });
  await ownTx(ctx.tx).updateTable('doctorCard').set({ sceneCodeId: codeId, codeLink: link }).where('id', '=', row.id).execute();
  return link;
}

/** Facts of a card that waits to be drawn; null when it does not wait any more. */
const prepare = (ctx: JobContext, doctorId: string) =>
  ctx.transaction(async (writing): Promise<CardFacts | null> => {
    const row = await lockCard(writing.tx, doctorId);
    if (row?.state !== 'GENERATING') return null;
    const doctor = (await doctorFacts(writing.tx, doctorId))!;
    if (!doctor.practiceOk) throw refuse(doctorErrors.NO_CARD);
    return cardFacts(doctor, looksOf(row), await codeOf(ctx.kernel, { ...writing, now: ctx.now }, row, doctor));
  });

const safe = (text: string) => text.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_');

/** Draws one card and stores it. @returns null when it is there, else why it could not be made. */
export async function makeCard(ctx: JobContext, drawing: Drawing, doctorId: string): Promise<string | null> {
  try {
    const facts = await prepare(ctx, doctorId);
    if (facts === null) return null;
    const pictures = await drawing.draw(facts, await bytesOf(ctx.kernel, ctx.db, facts.avatarFileId));
    await ctx.transaction(async (writing) => {
      const now = ctx.kernel.clock.now();
      const row = await lockCard(writing.tx, doctorId);
      if (row?.state !== 'GENERATING') return;
      const store = (kind: string, body: Buffer) =>
        ctx.kernel.ports.files.store(
          writing.tx,
          {
            purpose: 'CONTENT',
            name: `${safe(facts.name)}_${kind}.png`,
            body,
            contentType: 'image/png',
            createdBy: null,
            sensitive: false,
          },
          now,
        );
      const card = await store('名片', pictures.card);
      const poster = await store('海报', pictures.poster);
      const acting = asSystem(writing, { now, traceId: ctx.traceId });
      await moveCard(acting, row, 'ready', {
        cardFileId: card.fileId,
        posterFileId: poster.fileId,
        thumb: pictures.thumb,
        sourceHash: hashOf(facts),
      });
      // Whatever changed while it was drawn outdates it at once.
      const current = cardFacts((await doctorFacts(writing.tx, doctorId))!, looksOf(row), facts.link);
      if (hashOf(current) !== hashOf(facts)) await moveCard(acting, { ...row, state: 'READY' }, 'stale');
    });
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '生成失败';
    await ctx.transaction(async (writing) => {
      const row = await lockCard(writing.tx, doctorId);
      if (row?.state === 'GENERATING')
        await moveCard(
          asSystem(writing, { now: ctx.kernel.clock.now(), traceId: ctx.traceId }),
          row,
          'fail',
          { failReason: reason },
          reason,
        );
    });
    return reason;
  }
}

/** Whether a card tells the truth (I10): everything printed is as it is now. */
export async function isCurrent(
  db: Db | Tx,
  row: Pick<CardRow, 'doctorId' | 'template' | 'headline' | 'showFields' | 'codeLink' | 'sourceHash'>,
): Promise<boolean> {
  const doctor = await doctorFacts(db, row.doctorId);
  return doctor !== null && row.codeLink !== null && hashOf(cardFacts(doctor, looksOf(row), row.codeLink)) === row.sourceHash;
}

/** Cards of doctors, that exist and are made new. */
export const keepLooks = (tx: Tx, doctorId: string, looks: Looks, stamp: { now: string; userId: string | null }) =>
  sql`
    insert into doctor_card (doctor_id, template, headline, show_fields, state, created_at, created_by, updated_at, updated_by)
    values (
      ${doctorId}, ${looks.template}, ${looks.headline}, ${[...looks.showFields]}::text[], 'NONE', ${stamp.now}, ${stamp.userId},
      ${stamp.now}, ${stamp.userId}
    )
    on conflict (doctor_id) do nothing`.execute(tx);
