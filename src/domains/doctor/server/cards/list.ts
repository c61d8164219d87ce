import { sql } from 'kysely';
import { listOf } from '#kernel/server/list/listOf.ts';
import { queryDoctorCardList, type CardRow } from '../../contract/calls/cards.ts';
import { cardMachine } from '../../contract/staffStates.ts';
import { seesDoctor } from '../access.ts';
import { isDoctor, own } from '../database.ts';

const state = sql<CardRow['state']>`coalesce(c.state, 'NONE')`;

/** Doctors who may have a card, and those who have one: what was worked on last stands first, doctors without a card follow. */
export const cardList = listOf(queryDoctorCardList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('doctorDoctor as d')
      .leftJoin('doctorCard as c', 'c.doctorId', 'd.id')
      .where(seesDoctor(staff))
      .where((eb) => eb.or([eb('d.practiceOk', '=', true), eb('c.id', 'is not', null)])),
  )
  .with({
    where: {
      doctor: isDoctor,
      hospitalId: 'd.hospitalId',
      state: (_eb, states) => sql<boolean>`${state} = any(${states})`,
      template: 'c.template',
    },
    id: 'd.id',
    sorts: { doctorNo: 'd.doctorNo' },
    order: [
      ['c.updatedAt', 'desc nulls last'],
      ['d.id', 'asc'],
    ],
    select: (query) =>
      query
        .select([
          'd.id',
          'd.doctorNo',
          'd.name as doctorName',
          'd.titleCode',
          'd.hospitalName',
          'd.departmentName',
          'c.template',
          'c.headline',
          'c.showFields',
          'c.failReason',
          'c.codeLink as link',
          'c.thumb',
          'c.scanCount',
          'c.shareCount',
          'c.updatedAt',
          'c.version',
        ])
        .select([state.as('state')]),
    present: (rows, { has }) =>
      rows.map((row) => ({
        ...row,
        headline: row.headline ?? '',
        showFields: row.showFields ?? [],
        scanCount: row.scanCount ?? 0,
        shareCount: row.shareCount ?? 0,
        version: row.version ?? 0,
        allowedActions: cardMachine.allowed(row.state, has),
      })),
  });
