import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { firstServiceConfig, type ServiceConfigContent } from '../../contract/calls/config.ts';

/** The rules that hold at a time: the version published last among those whose time had come. */
export async function activeServiceConfig(db: Db, at: Instant): Promise<ServiceConfigContent> {
  const { rows } = await sql<{ content: ServiceConfigContent }>`
    select content from doctor_service_config_version where published_at is not null and effective_from <= ${at}
    order by effective_from desc, version_no desc limit 1`.execute(db);
  return rows[0]?.content ?? firstServiceConfig;
}
