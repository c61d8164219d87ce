import { sql } from 'kysely';
import { factsBy, numberVariable, objectType, optionVariable } from '#kernel/server/objectTypes.ts';
import { materialType } from '../../contract/materials/dictionaries.ts';
import { reviewMachine } from '../../contract/materials/review.ts';
import { usage } from './rows.ts';

const source = '素材库';
const optionsOf = (dictionary: typeof materialType | typeof reviewMachine.dictionary) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));

/** Materials that carry marks; the library is the same for everybody. */
export const materialObjects = objectType({
  code: 'MATERIAL',
  seen: () => sql`select m.id, m.material_no as no, m.title as name from corpus_material m`,
  link: ({ id }) => ({ path: '/corpus', search: { view: 'material', materialId: id } }),
  rules: {
    variables: [
      optionVariable({ code: 'material.type', name: '素材类型', source, refreshOn: [] }, optionsOf(materialType)),
      optionVariable({ code: 'material.state', name: '素材状态', source, refreshOn: [] }, optionsOf(reviewMachine.dictionary)),
      numberVariable({ code: 'material.usageCount', name: '引用次数', source, refreshOn: [] }, '次'),
      numberVariable({ code: 'material.sentIn30Days', name: '近30天发送人次', source: '随访消息', refreshOn: [] }, '次'),
      numberVariable({ code: 'material.daysSinceUpdate', name: '距上次更新天数', source, refreshOn: [] }, '天'),
    ],
    facts: factsBy({
      'material.type': (ids) =>
        sql`select id::text as id, material_type as value, updated_at as at from corpus_material where id = any(${[...ids]}::bigint[])`,
      'material.state': (ids) =>
        sql`select id::text as id, state as value, updated_at as at from corpus_material where id = any(${[...ids]}::bigint[])`,
      'material.usageCount': (ids) =>
        sql`select m.id::text as id, ${usage}::text as value, null as at from corpus_material m where m.id = any(${[...ids]}::bigint[])`,
      'material.sentIn30Days': (ids, now) =>
        sql`
          with counted as (
            select m.id, count(*) as n, max(s.sent_at) as at
              from corpus_follow_send s
              cross join lateral unnest(s.material_ids) as m (id)
              where s.state = 'SENT'
                and s.due_at > ${now}::timestamptz - interval '33 days'
                and s.sent_at > ${now}::timestamptz - interval '30 days'
                and m.id = any(${[...ids]}::bigint[])
              group by m.id
          )
          select m.id::text as id, coalesce(c.n, 0)::text as value, c.at
            from unnest(${[...ids]}::bigint[]) as m (id)
            left join counted c on c.id = m.id`,
      'material.daysSinceUpdate': (ids, now) =>
        sql`
          select id::text as id,
              floor(extract(epoch from greatest(${now}::timestamptz - updated_at, interval '0')) / 86400)::int::text as value,
              updated_at as at
            from corpus_material
            where id = any(${[...ids]}::bigint[])`,
    }),
  },
});
