import { sql } from 'kysely';
import { job } from '#kernel/server/jobs/declaration.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { institutionPermissions } from '../contract/permissions.ts';
import { insideRegion } from '../contract/geometry.ts';
import { weekOverlaps, type WeekHours } from '../contract/opening.ts';
import { own } from './database.ts';
import { scoreBatch } from './hospitals/scoreBatch.ts';
import { refreshQuality } from './hospitals/save.ts';

/** Looks for doubles of what an import wrote. */
export const scoreBatchJob = job<{ batchNo: string }>({
  name: 'institution.scoreBatch',
  label: '医院疑似重复计算',
  expireSeconds: 1_800,
  subject: ({ batchNo }) => batchNo,
  run: ({ batchNo }, ctx) => scoreBatch(ctx, batchNo),
});

/** Facts that no write may break; counted every night, and told when one is not zero. */
const invariants: readonly [name: string, condition: string][] = [
  [
    'I1 合并目标无效',
    `select count(*)::int as n from institution_hospital l join institution_hospital s on s.id = l.merged_into_id where s.state = 'MERGED'`,
  ],
  [
    'I2 地区与所属省市不一致',
    `
      select count(*)::int as n
        from (
          select adcode, city_adcode, province_adcode
            from institution_hospital
          union all
          select adcode, city_adcode, province_adcode
            from institution_drugstore
        ) x
        where left(adcode, 2) || '0000' <> province_adcode
          or left(city_adcode, 2) <> left(adcode, 2)
          or (city_adcode not like '%0000' and left(adcode, 4) <> left(city_adcode, 4))`,
  ],
  [
    'I3 营业门店证照过期',
    `
      select count(*)::int as n
        from institution_drugstore s
        join institution_licence l on l.owner_type = 'DRUGSTORE' and l.owner_id = s.id
        where s.state = 'OPEN' and l.state = 'EXPIRED' and l.licence_type in ('BUSINESS', 'DRUG')`,
  ],
  ['I3 营业门店缺坐标', `select count(*)::int as n from institution_drugstore where state = 'OPEN' and (lng_e6 is null or lat_e6 is null)`],
  [
    'I4 最早到期日不一致',
    `
      select count(*)::int as n
        from institution_drugstore s
        where s.next_expire_on is distinct from (
          select min(l.valid_to) from institution_licence l where l.owner_type = 'DRUGSTORE' and l.owner_id = s.id and l.state = 'VALID'
        )`,
  ],
  [
    'I5 院区层级过深',
    `select count(*)::int as n from institution_hospital c join institution_hospital p on p.id = c.parent_id where p.parent_id is not null`,
  ],
  [
    'I6 已通过申请无医院',
    `
      select count(*)::int as n
        from institution_hospital_apply
        where apply_type = 'CREATE' and state in ('APPROVED', 'LINKED') and result_hospital_id is null`,
  ],
  ['I7 合并申请与复核同人', `select count(*)::int as n from institution_hospital_merge where maker_id = checker_id`],
];

export const nightlyJob = job({
  name: 'institution.nightly',
  label: '机构数据核对与质量评分',
  cron: '30 2 * * *',
  expireSeconds: 3600,
  async run(_data, ctx) {
    const tables = own(ctx.db);
    const wrong: string[] = [];
    for (const [name, statement] of invariants) {
      const { rows } = await sql.raw<{ n: number }>(statement).execute(ctx.db);
      if (rows[0]!.n > 0) wrong.push(`${name} ${rows[0]!.n}条`);
    }
    const stores = await tables.selectFrom('institutionDrugstore').select(['weekHours']).execute();
    const overlapping = stores.filter(({ weekHours }) => weekOverlaps(weekHours as WeekHours)).length;
    if (overlapping > 0) wrong.push(`I8 营业时段重叠 ${overlapping}条`);
    const placed = await tables
      .selectFrom('institutionHospital')
      .select(['adcode', 'lngE6', 'latE6'])
      .where('lngE6', 'is not', null)
      .where('state', '<>', 'MERGED')
      .execute();
    const outside = placed.filter(
      ({ adcode, lngE6, latE6 }) => lngE6 !== null && latE6 !== null && !insideRegion(adcode, { lngE6, latE6 }),
    ).length;
    if (outside > 0) wrong.push(`I9 坐标不在地区内 ${outside}条`);
    if (wrong.length > 0) {
      await ctx.transaction((writing) =>
        ctx.kernel.ports.notices.addAlert(
          writing.tx,
          {
            businessKey: `institution.invariants:${dayOf(ctx.now)}`,
            title: '机构数据核对发现异常',
            body: wrong.join('；'),
            link: '/hospitalManagementMaintenance?tab=quality',
            permission: institutionPermissions['hospital.edit'].code,
          },
          ctx.now,
        ),
      );
    }
    let after = '0';
    for (;;) {
      const chunk = await tables
        .selectFrom('institutionHospital')
        .select('id')
        .where('id', '>', after)
        .where('state', '<>', 'MERGED')
        .orderBy('id')
        .limit(200)
        .execute();
      if (chunk.length === 0 || ctx.signal.aborted) return;
      await ctx.transaction(async (writing) => {
        for (const { id } of chunk) await refreshQuality(writing, id);
      });
      after = chunk.at(-1)!.id;
    }
  },
});
