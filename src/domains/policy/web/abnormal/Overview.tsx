import { Button } from 'antd';
import { showInstant } from '#kernel/contract/time.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { checkCodes, severities } from '../../contract/abnormal/checks.ts';
import { queryFindingTotal, runCheck } from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { findingRefreshes as refreshes } from './findingList.tsx';

type Open = OutputOf<typeof queryFindingTotal>['open'];
const sum = (rows: Open) => rows.reduce((total, { count }) => total + count, 0);
/** Few, several, many: what a cell is coloured by. */
const heatOf = (count: number) => (count === 0 ? '' : count < 5 ? 'pol-heat-1' : count < 20 ? 'pol-heat-2' : 'pol-heat-3');

/** Checks by insurers: a number leads to the findings that it counts. */
function Heat({ open }: { open: Open }) {
  const insurers = [...new Map(open.map(({ insurerId, insurerName }) => [insurerId ?? insurerName, { insurerId, insurerName }])).values()];
  const checks = [...new Set(open.map(({ checkCode }) => checkCode))];
  return (
    <details className="pol-heat">
      <summary>按检查项与保司分布</summary>
      <table className="pol-table">
        <thead>
          <tr>
            <th>检查项</th>
            {insurers.map(({ insurerId, insurerName }) => (
              <th key={insurerId ?? insurerName} className="pol-amount">
                {insurerName || '未指定'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {checks.map((code) => (
            <tr key={code}>
              <td>
                <PageLink to="/abnormalPolicyData" search={{ tab: 'all', checkCode: code }}>
                  {checkCodes.label(code)}
                </PageLink>
              </td>
              {insurers.map(({ insurerId, insurerName }) => {
                const count = sum(
                  open.filter((one) => one.checkCode === code && one.insurerId === insurerId && one.insurerName === insurerName),
                );
                return (
                  <td key={insurerId ?? insurerName} className={`pol-amount ${heatOf(count)}`}>
                    {count > 0 &&
                      // Policies without an insurer are no search of their own.
                      (insurerId === null ? (
                        count
                      ) : (
                        <PageLink to="/abnormalPolicyData" search={{ tab: 'all', checkCode: code, insurerId }}>
                          {count}
                        </PageLink>
                      ))}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Last run, findings per severity, and where they gather: checks by insurers. */
export function Overview() {
  const total = useData(queryFindingTotal, {}, { quiet: true });
  const run = useCommand(runCheck, { refreshes });
  const look = async () => {
    const answer = await run.run({});
    if (answer)
      toast(`已检查${answer.data.checkCount}项，发现${answer.data.found}处，新增${answer.data.added}条，自动解决${answer.data.cleared}条`);
  };
  if (!total.data) return <Waiting for={total} />;
  const { lastRun, open } = total.data;
  return (
    <div className="pol-overview">
      <div className="pol-totals" role="status">
        <span>
          {lastRun ? `最近检查 ${showInstant(lastRun.startedAt)}，${lastRun.startedBy}，发现${lastRun.found}处` : '还没有运行过检查'}
        </span>
        {severities.codes.map((code) => (
          <span key={code}>
            {severities.label(code)} {sum(open.filter(({ severity }) => severity === code))} 条
          </span>
        ))}
        <Can permission={may['abnormal.supervise']}>
          <Button size="small" loading={run.flying} onClick={() => void look()}>
            立即检查
          </Button>
        </Can>
      </div>
      {open.length > 0 && <Heat open={open} />}
    </div>
  );
}
