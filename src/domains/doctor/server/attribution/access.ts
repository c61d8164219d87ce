import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { scopeFilter, scopedResource } from '../../../../kernel/server/auth/scope.ts';
import type { Viewer } from '../access.ts';

export const CHANGE_TARGET = 'doctor.attributionChange';

const dimensions = scopedResource({ region: 'free', insurer: 'free', channel: { column: 't.channel_id' }, own: 'free' });
/** What somebody sees of attributions (alias `t`): those of his channels. */
export const seesAttribution = (viewer: Viewer): RawBuilder<SqlBool> => scopeFilter(dimensions, viewer);

const changeDimensions = scopedResource({ region: 'free', insurer: 'free', channel: { column: 'g.from_channel_id' }, own: 'free' });
/** Of changes (alias `g`): from or to one of his channels. */
export function seesChange(viewer: Viewer): RawBuilder<SqlBool> {
  const { channel } = viewer.scope;
  const arriving = channel === null ? sql<SqlBool>`true` : sql<SqlBool>`g.to_channel_id::text = any(${[...channel]}::text[])`;
  return sql<SqlBool>`(${scopeFilter(changeDimensions, viewer)} or ${arriving})`;
}
