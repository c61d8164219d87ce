import { sql, type SqlBool } from 'kysely';
import { containsOneOf } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportPromotionTagList, queryPromotionTagList } from '../../contract/promotion/calls.ts';
import { periodOf } from '../../contract/promotion/card.ts';
import { promotionPages } from '../../contract/promotion/dictionaries.ts';
import { own } from '../database.ts';

export const promotionList = listOf(queryPromotionTagList)
  .from(({ db }) =>
    own(db)
      .selectFrom('contentPromotionTag as p')
      .innerJoin('contentMark as m', 'm.id', 'p.markId')
      .innerJoin('contentTagGroup as g', 'g.id', 'p.groupId'),
  )
  .with({
    where: {
      keyword: containsOneOf('m.markName', 'm.pinyin', 'p.displayText', 'm.markCode'),
      groupId: 'p.groupId',
      style: 'p.style',
      state: 'm.state',
      period: (_eb, period, { now }) => {
        if (period === 'WAITING') return sql<SqlBool>`p.start_at > ${now}::timestamptz`;
        if (period === 'ENDED') return sql<SqlBool>`p.end_at <= ${now}::timestamptz`;
        return sql<SqlBool>`coalesce(p.start_at <= ${now}::timestamptz, true) and coalesce(p.end_at > ${now}::timestamptz, true)`;
      },
    },
    id: 'p.markId',
    sorts: { markCode: 'm.markCode', startAt: 'p.startAt', endAt: 'p.endAt', priority: 'p.priority', objectCount: 'm.objectCount' },
    order: [['p.priority', 'desc']],
    bounded: 'promotion tags are some dozens that people make by hand',
    select: (rows) =>
      rows
        .select(['m.id', 'g.id as groupId', 'g.groupName', 'm.markCode', 'm.markName', 'p.displayText', 'p.style', 'm.color'])
        .select(['p.pages', 'p.startAt', 'p.endAt', 'p.priority', 'm.objectCount', 'm.description', 'm.state', 'm.version']),
    present: (rows, { now }) =>
      rows.map((row) => ({
        ...row,
        pages: promotionPages.codes.filter((code) => row.pages.includes(code)),
        period: periodOf(row, now),
      })),
  });

export const promotionExport = listExport(promotionList, {
  call: exportPromotionTagList,
  title: '促销标签',
  routeKey: 'markContent.promotion',
});
