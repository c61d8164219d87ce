import { query } from '#kernel/server/handler.ts';
import { queryServiceOpeningCounts, queryServiceOpeningDetail } from '../../contract/calls/openings.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { openingApplyExport, openingApplyList } from './applies/applyList.ts';
import { addOpening, auditMany, auditOne, openForMany } from './applies/batch.ts';
import { openingCounts, openingDetail } from './detail.ts';
import { writeServices } from './demo.ts';
import { openingExport, openingList } from './list.ts';
import { modifyOpening, changeState } from './modify.ts';
import { notifyApplyJob } from './applies/applies.ts';

/** Statements that count rows which must not be. */
const openingInvariants: readonly (readonly [name: string, statement: string])[] = [
  [
    '医生不可执业但服务仍开通',
    `
      select count(*)::int as n
        from doctor_service_opening o
        join doctor_doctor d on d.id = o.doctor_id
        where o.state = 'ON' and not d.practice_ok`,
  ],
  [
    '预约时段占用与订单不符',
    `
      select count(*)::int as n
        from doctor_opening_slot s
        where s.taken not between (
          select count(*)
            from doctor_consult_order r
            where r.opening_id = s.opening_id and r.slot_at = s.slot_at and r.state in ('WAIT_PAY', 'PAID', 'SERVING')
        ) and (
          select count(*)
            from doctor_consult_order r
            where r.opening_id = s.opening_id and r.slot_at = s.slot_at and r.state not in ('CLOSED', 'REFUNDED')
        )`,
  ],
  [
    '现价与最近一次价格记录不符',
    `select count(*)::int as n from doctor_service_opening o where o.state in ('ON', 'PAUSED', 'SUSPENDED')
      and o.price_fen <> (select p.price_fen from doctor_opening_price p where p.opening_id = o.id order by p.at desc, p.id desc limit 1)`,
  ],
];

export const openingsModule: FeatureModule = {
  handlers: [
    openingList.handler,
    openingApplyList.handler,
    query(queryServiceOpeningCounts, (_input, ctx) => openingCounts(ctx)),
    query(queryServiceOpeningDetail, ({ id }, ctx) => openingDetail(ctx, id)),
    addOpening,
    openForMany,
    modifyOpening,
    changeState,
    auditOne,
    auditMany,
  ],
  jobs: [notifyApplyJob],
  exports: [openingExport, openingApplyExport],
  invariants: openingInvariants,
  demo: writeServices,
};
