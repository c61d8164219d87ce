import { containsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import type { AnswerOf, CheckedInputOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/context.ts';
import { titles } from '../../../contract/dictionaries.ts';
import type { querySelectOptions } from '../../../contract/calls/doctors.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { doctorsSeen } from '../../access.ts';
import { own } from '../../database.ts';

type Options = AnswerOf<typeof querySelectOptions>;
type Wish = CheckedInputOf<typeof querySelectOptions>;

/** Choices of a select by keyword, or the names of known ids. */
export async function selectOptions(db: Db, viewer: Viewer, wish: Wish): Promise<Options> {
  const { type, keyword, ids, limit } = wish;
  const most = ids ? 50 : limit;
  const text = containsPattern(keyword ?? '');
  switch (type) {
    case 'DOCTOR': {
      let query = doctorsSeen(own(db), viewer).select([
        'd.id',
        'd.doctorNo',
        'd.name',
        'd.titleCode',
        'd.hospitalName',
        'd.departmentName',
        'd.practiceOk',
        'd.qualState',
        'd.accountState',
      ]);
      if (ids) query = query.where('d.id', 'in', ids);
      else query = query.where('d.accountState', '<>', 'CANCELLED');
      if (!ids && keyword) query = query.where(sql<boolean>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${text}`);
      const rows = await query.orderBy('d.practiceOk', 'desc').orderBy('d.id').limit(most).execute();
      return rows.map(({ id, name, titleCode, ...extra }) => ({
        value: id,
        label: name,
        extra: { ...extra, titleCode, titleName: titleCode === null ? null : titles.label(titleCode) },
      }));
    }
    case 'ASSISTANT': {
      let query = own(db)
        .selectFrom('doctorAssistant')
        .select(['id', 'assistantNo', 'name', 'groupName', 'state', 'capacity', 'activeCount']);
      if (ids) query = query.where('id', 'in', ids);
      else query = query.where('state', '<>', 'DISABLED');
      if (!ids && keyword) query = query.where((eb) => eb.or([eb('name', 'ilike', text), eb('assistantNo', 'ilike', text)]));
      const rows = await query.orderBy('id').limit(most).execute();
      return rows.map(({ id, name, ...extra }) => ({ value: id, label: name, extra }));
    }
    case 'ITEM': {
      let query = own(db)
        .selectFrom('doctorServiceItem')
        .select(['id', 'itemCode', 'name', 'itemType', 'careKind', 'state', 'needSlot', 'titleMin', 'priceBands']);
      if (ids) query = query.where('id', 'in', ids);
      else query = query.where('state', '=', 'ON');
      if (!ids && keyword) query = query.where((eb) => eb.or([eb('name', 'ilike', text), eb('itemCode', 'ilike', text)]));
      const rows = await query.orderBy('sort').orderBy('id').limit(most).execute();
      return rows.map(({ id, name, ...extra }) => ({ value: id, label: name, extra }));
    }
    case 'CATEGORY': {
      let query = own(db).selectFrom('doctorServiceCategory').select(['id', 'code', 'name', 'parentId', 'state']);
      if (ids) query = query.where('id', 'in', ids);
      else query = query.where('state', '=', 'ENABLED');
      if (!ids && keyword) query = query.where('name', 'ilike', text);
      const rows = await query.orderBy('sort').orderBy('id').limit(most).execute();
      return rows.map(({ id, name, ...extra }) => ({ value: id, label: name, extra }));
    }
    case 'DISEASE': {
      let query = own(db).selectFrom('doctorRefCopy').select(['refId', 'name', 'state', 'facts']).where('kind', '=', 'DISEASE');
      if (ids) query = query.where('refId', 'in', ids);
      else query = query.where('state', '=', 'ENABLED');
      if (!ids && keyword) query = query.where((eb) => eb.or([eb('name', 'ilike', text), sql<boolean>`facts->>'code' ilike ${text}`]));
      const rows = await query.orderBy('refId').limit(most).execute();
      return rows.map(({ refId, name, state, facts }) => ({
        value: refId,
        label: name,
        extra: { ...(facts as Record<string, unknown>), state },
      }));
    }
  }
}
