import { Refusal, refuse } from '#kernel/contract/errors.ts';
import { DatabaseAway } from '#kernel/server/database/away.ts';
import { query } from '#kernel/server/handler.ts';
import { queryAdministrativeDivision, type Division } from '../../contract/calls/divisions.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { isBetween } from './regionName.ts';

/** The tree of provinces, cities and districts, or what lies below one of them. */
export const divisionsHandler = ({ kernel }: IdentityCore) =>
  query(queryAdministrativeDivision, async ({ parentAdcode }, { db, traceId }) => {
    try {
      const rows = await own(db)
        .selectFrom('identityRegion')
        .select(['adcode', 'name', 'parentAdcode'])
        .where('retiredOn', 'is', null)
        .orderBy('adcode')
        .execute();
      const nodes = new Map<string, Division>(rows.map(({ adcode, name }) => [adcode, { adcode, name, districts: [] }]));
      const top: Division[] = [];
      for (const { adcode, parentAdcode: parent } of rows) {
        const node = nodes.get(adcode)!;
        // What stands below a level that nobody calls by its name is chosen below the province.
        const above = parent !== null && isBetween(nodes.get(parent)?.name ?? '') ? `${parent.slice(0, 2)}0000` : parent;
        if (above === null) top.push(node);
        else if (!isBetween(node.name)) nodes.get(above)?.districts.push(node);
      }
      return { cityList: parentAdcode === undefined ? top : (nodes.get(parentAdcode)?.districts ?? []) };
    } catch (error) {
      if (error instanceof Refusal || error instanceof DatabaseAway) throw error;
      kernel.log.error({ error, traceId }, 'the administrative divisions could not be read');
      throw refuse(identityErrors.REGIONS_UNAVAILABLE);
    }
  });
