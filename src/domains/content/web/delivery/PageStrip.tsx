import { useData } from '#kernel/web/http/queries.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { queryDeliveryCounts } from '../../contract/banners/calls.ts';
import type { DeliveryKind } from '../../contract/delivery/dictionaries.ts';
import { positionsFor } from '../../contract/delivery/positions.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';

/** The clients' pages with how much each of them shows now; a click narrows the list to one. */
export function PageStrip({ kind }: { kind: DeliveryKind }) {
  const { path, search } = usePage();
  const { data } = useData(queryDeliveryCounts, { kind }, { quiet: true });
  const pages = pageCodes.codes.filter((code) => positionsFor(kind).some(({ pageCode }) => pageCode === code));
  // What was not answered is no zero.
  const live = (pageCode?: string) =>
    data
      ?.filter((row) => row.shownState === 'LIVE' && (pageCode === undefined || row.pageCode === pageCode))
      .reduce((sum, { n }) => sum + n, 0);
  const choose = (pageCode: string) => goTo(path, { ...search, pageCode, positionCode: '', pageNo: '' }, { replace: true });
  const chosen = String(search['pageCode'] ?? '');
  return (
    <div className="dl-strip" role="group" aria-label="客户端页面">
      <button type="button" aria-pressed={chosen === ''} onClick={() => choose('')}>
        全部 {live()}
      </button>
      {pages.map((code) => (
        <button key={code} type="button" aria-pressed={chosen === code} onClick={() => choose(code)}>
          {pageCodes.label(code)} {live(code)}
        </button>
      ))}
      {data && <span className="kq-muted">数字为投放中</span>}
    </div>
  );
}
