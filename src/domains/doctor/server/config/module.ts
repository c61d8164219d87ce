import { query } from '#kernel/server/handler.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { ITEM_FILE } from '../../contract/calls/items.ts';
import { queryServiceConfig } from '../../contract/calls/config.ts';
import { categoryHandlers } from '../categories/handlers.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { configRows } from './rows.ts';
import { activateDueConfigJob } from './activateDue.ts';
import { publishConfig, saveConfig } from './versions.ts';

export const configModule: FeatureModule = {
  handlers: () => [
    ...categoryHandlers,
    query(queryServiceConfig, async (_input, ctx) => {
      const rows = await configRows(ctx.db, ctx.now);
      const agreements = [...new Set(rows.map(({ content }) => content.agreementFileId).filter((id) => id !== null))];
      return {
        active: rows.find(({ state }) => state === 'ACTIVE') ?? null,
        draft: rows.find(({ state, waiting }) => state === 'DRAFT' && !waiting) ?? null,
        waiting: rows.find(({ waiting }) => waiting) ?? null,
        history: rows.filter(({ publishedAt }) => publishedAt !== null),
        agreements: await fileBriefs(ctx.db, agreements, { purpose: ITEM_FILE }),
      };
    }),
    saveConfig,
    publishConfig,
  ],
  jobs: [activateDueConfigJob],
};
