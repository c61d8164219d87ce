import { sql } from 'kysely';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';

export interface PageCall {
  pageToken: string;
  datasetCode: string;
  call: string;
  times: number;
}

/** Calls that succeeded for low-code pages since then, as the operation log keeps them. */
export async function pageCallsSince(db: Db, since: Instant): Promise<PageCall[]> {
  const { rows } = await sql<PageCall>`
    select page_token, dataset_code, call, count(*)::int as times from identity_operation_log
    where at >= ${since} and page_token is not null and dataset_code is not null and result_code = ${SUCCESS}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}
