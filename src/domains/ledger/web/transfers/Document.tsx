import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { LedgerEntryRow } from '../../contract/calls/entries.ts';

/** Number of the document behind a row; a link where its domain has a page for it. */
export const Document = ({ of: { refNo, refLabel, link } }: { of: Pick<LedgerEntryRow, 'refNo' | 'refLabel' | 'link'> }) =>
  refNo === '' ? (
    <>{NOTHING}</>
  ) : link ? (
    <PageLink to={link.path} search={link.search}>
      {refNo}
    </PageLink>
  ) : (
    <span title={`${refLabel} ${refNo}`}>{refNo}</span>
  );
