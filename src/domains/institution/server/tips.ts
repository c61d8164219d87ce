import { containsPattern } from '#kernel/server/database/search.ts';
import type { TipSource } from '#domains/identity/server/index.ts';
import { own } from './database.ts';

const degrees = (e6: number | null) => (e6 === null ? null : e6 / 1e6);

/** Own hospitals (their other names too) and drugstores, for address fields; registered with identity. */
export const institutionTips: TipSource = {
  async find(db, keywords, city) {
    const tables = own(db);
    const pattern = containsPattern(keywords);
    const prefix = city !== null && /^\d{4,6}$/.test(city) ? `${city.slice(0, 4)}%` : null;
    const hospitals = await tables
      .selectFrom('institutionHospital as h')
      .select(['h.name', 'h.address', 'h.adcode', 'h.lngE6', 'h.latE6'])
      .where('h.state', '=', 'ENABLED')
      .where((eb) =>
        eb.or([
          eb('h.name', 'ilike', pattern),
          eb('h.address', 'ilike', pattern),
          eb('h.id', 'in', eb.selectFrom('institutionHospitalAlias as a').select('a.hospitalId').where('a.name', 'ilike', pattern)),
        ]),
      )
      .$if(prefix !== null, (query) => query.where('h.cityAdcode', 'like', prefix))
      .orderBy('h.levelRank', 'desc')
      .orderBy('h.id')
      .limit(10)
      .execute();
    const stores =
      hospitals.length >= 10
        ? []
        : await tables
            .selectFrom('institutionDrugstore as s')
            .select(['s.name', 's.address', 's.adcode', 's.lngE6', 's.latE6'])
            .where('s.state', '=', 'OPEN')
            .where((eb) => eb.or([eb('s.name', 'ilike', pattern), eb('s.address', 'ilike', pattern)]))
            .$if(prefix !== null, (query) => query.where('s.cityAdcode', 'like', prefix))
            .orderBy('s.id')
            .limit(10 - hospitals.length)
            .execute();
    return [...hospitals, ...stores].map(({ name, address, adcode, lngE6, latE6 }) => ({
      name,
      address,
      adcode,
      lng: degrees(lngE6),
      lat: degrees(latE6),
    }));
  },
};
