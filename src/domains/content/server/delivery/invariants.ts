import type { FeatureModule } from '#kernel/server/featureModule.ts';

/** What the database's own rules cannot hold, or hold only when a row is written. */
export const deliveryInvariants: FeatureModule['invariants'] = [
  ['投放由提交人审核', `select count(*)::int as n from content_delivery where audited_by = submitted_by`],
  [
    '处方药广告投放到非医生端',
    `select count(*)::int as n from content_delivery d join content_advert a on a.delivery_id = d.id
      where d.state = 'APPROVED' and a.ad_class = 'RX' and d.page_code not like 'DR\\_%'`,
  ],
  [
    '广告投放超过批准文号有效期',
    `select count(*)::int as n from content_delivery d join content_advert a on a.delivery_id = d.id
      where d.state = 'APPROVED' and a.ad_class in ('OTC', 'RX', 'DEVICE', 'SUPPLEMENT', 'SERVICE')
        and (a.approval_until is null or d.end_at > (a.approval_until + 1)::timestamp at time zone 'Asia/Shanghai')`,
  ],
  [
    '广告曝光与统计不一致',
    `select count(*)::int as n from content_advert a cross join lateral
      (
        select coalesce(sum(s.impressions), 0) as shows, coalesce(sum(s.clicks), 0) as clicks
          from content_stat s
          where s.delivery_id = a.delivery_id
      ) c
      where a.impressions <> c.shows or a.clicks <> c.clicks`,
  ],
];
