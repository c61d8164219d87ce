import { sql } from 'kysely';
import type { ReferenceData } from '../../../../kernel/server/module.ts';
import { variableSeeds } from './variables.ts';

/** Variables come from code in every mode; staff never edit them. */
export const variableReference: ReferenceData = {
  name: 'corpus.variables',
  content: variableSeeds,
  async write(tx) {
    for (const seed of variableSeeds) {
      await sql`
        insert into corpus_variable_info (
          id, variable_code, variable_name, user_type, variable_info_flag, value_type, options, unit, decimals, operators, time_derived,
          source, refresh_on
        )
          values (
            ${seed.id}, ${seed.code}, ${seed.name}, ${seed.userType}, ${seed.flag}, ${seed.valueType},
            ${JSON.stringify(seed.options)}::jsonb, ${seed.unit}, ${seed.decimals}, ${[...seed.operators]}::text[], ${seed.timeDerived},
            ${seed.source}, ${[...seed.refreshOn]}::text[]
          )
          on conflict (id) do update
          set variable_code = excluded.variable_code, variable_name = excluded.variable_name, user_type = excluded.user_type,
            variable_info_flag = excluded.variable_info_flag, value_type = excluded.value_type, options = excluded.options,
            unit = excluded.unit, decimals = excluded.decimals, operators = excluded.operators, time_derived = excluded.time_derived,
            source = excluded.source, refresh_on = excluded.refresh_on`.execute(tx);
    }
  },
};
