import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { archiveHandler } from '#kernel/server/exporting/archive.ts';
import { archiveSource } from '#kernel/server/exporting/source.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { procedure, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { downloadDoctorCard, exportDoctorCardZip, previewDoctorCard } from '../../contract/calls/cards.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { doctorRecords, seesDoctor } from '../access.ts';
import { own } from '../database.ts';
import { drawCard } from './draw.ts';
import { cardFacts, doctorFacts } from './facts.ts';
import { bytesOf, looksOf } from './make.ts';

/** Printed on a preview whose code is not made yet; it leads nowhere. */
const SAMPLE = 'https://kangqiao.example/q/0000000000';
const dataUrl = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`;
const safe = (text: string) => text.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_');

/** A card as it was made, or as it would be with other looks. */
export const preview = (kernel: Kernel) =>
  query(previewDoctorCard, async ({ doctorId, looks }, ctx) => {
    await doctorRecords.get(ctx.db, ctx.staff, doctorId);
    const row = await own(ctx.db).selectFrom('doctorCard').selectAll().where('doctorId', '=', doctorId).executeTakeFirst();
    if (!looks) {
      const [card, poster] = [
        await bytesOf(kernel, ctx.db, row?.cardFileId ?? null),
        await bytesOf(kernel, ctx.db, row?.posterFileId ?? null),
      ];
      if (!row || !card || !poster) throw refuse(platformErrors.NOT_FOUND, { message: '名片尚未生成' });
      return { card: dataUrl(card), poster: dataUrl(poster), link: row.codeLink };
    }
    const facts = cardFacts((await doctorFacts(ctx.db, doctorId))!, looks ?? looksOf(row!), row?.codeLink ?? SAMPLE);
    const drawn = await drawCard(facts, await bytesOf(kernel, ctx.db, facts.avatarFileId));
    return { card: dataUrl(drawn.card), poster: dataUrl(drawn.poster), link: row?.codeLink ?? null };
  });

/** Cards with pictures within the scope. */
const readyCards = (db: Db, viewer: Viewer, doctorIds: readonly string[]) =>
  own(db)
    .selectFrom('doctorCard as c')
    .innerJoin('doctorDoctor as d', 'd.id', 'c.doctorId')
    .select(['c.doctorId', 'c.cardFileId', 'c.posterFileId', 'd.name', 'd.doctorNo'])
    .where('c.doctorId', 'in', [...doctorIds])
    .where('c.state', 'in', ['READY', 'STALE'])
    .where('c.posterFileId', 'is not', null)
    .where(seesDoctor(viewer))
    .orderBy('d.doctorNo')
    .execute();

/** A picture handed out is a share. */
const countShares = (db: Db, doctorIds: readonly string[]) =>
  sql`update doctor_card set share_count = share_count + 1 where doctor_id = any(${[...doctorIds]}::bigint[])`.execute(db);

const download = (kernel: Kernel) =>
  procedure(downloadDoctorCard, async ({ doctorId, part }, ctx) => {
    const [row] = await readyCards(ctx.db, ctx.staff, [doctorId]);
    const bytes = await bytesOf(kernel, ctx.db, (part === 'CARD' ? row?.cardFileId : row?.posterFileId) ?? null);
    if (!row || !bytes) throw refuse(platformErrors.NOT_FOUND, { message: '名片尚未生成' });
    await countShares(ctx.db, [doctorId]);
    ctx.target({ type: 'doctor.card', id: doctorId, no: row.doctorNo });
    return new FileAnswer({
      name: `${safe(row.name)}_${part === 'CARD' ? '名片' : '海报'}.png`,
      contentType: 'image/png',
      body: bytes,
      rowCount: 1,
    });
  });

/** Card and poster of each doctor. */
export const cardArchive = archiveSource({
  call: exportDoctorCardZip,
  title: '医生名片',
  routeKey: 'doctorCard',
  permission: doctorPermissions['card.view'].code,
  describe: ({ doctorIds }) => `所选医生：${doctorIds.length}名`,
  count: async ({ db, staff, filter }) => (await readyCards(db, staff, filter.doctorIds)).length * 2,
  async *entries({ db, staff, filter }, kernel) {
    for (const row of await readyCards(db, staff, filter.doctorIds)) {
      for (const [kind, fileId] of [
        ['名片', row.cardFileId],
        ['海报', row.posterFileId],
      ] as const) {
        const body = await bytesOf(kernel, db, fileId);
        if (body) yield { name: `${row.doctorNo}_${safe(row.name)}_${kind}.png`, body };
      }
    }
  },
});

export const fileHandlers = (kernel: Kernel): readonly Handler[] => [
  preview(kernel),
  download(kernel),
  archiveHandler(exportDoctorCardZip, cardArchive, kernel),
];
