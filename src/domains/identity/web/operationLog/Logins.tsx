import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { Dict, NOTHING } from '#kernel/web/kit/values.tsx';
import { queryLoginLogList } from '../../contract/calls/logs.ts';
import { loginAnomalies } from '../../contract/dictionaries.ts';
import { FailureChart } from './FailureChart.tsx';

const logins = resource(queryLoginLogList, {
  routeKey: 'operationLog.logins',
  empty: '没有符合条件的登录记录',
  filters: ['userName', 'result', { kind: 'instants', names: ['from', 'to'], label: '时间' }, 'method', 'abnormal', 'ip'],
  columns: [
    { key: 'at', required: true },
    'userName',
    { key: 'displayName', width: 110 },
    { key: 'method', plain: true, width: 110 },
    { key: 'result', width: 120 },
    {
      key: 'abnormal',
      width: 190,
      render: (row) => (
        <span className="id-tags">
          {row.abnormal.length ? row.abnormal.map((code) => <Dict key={code} of={loginAnomalies} code={code} />) : NOTHING}
        </span>
      ),
    },
    'ip',
    { key: 'deviceLabel', width: 180 },
  ],
});

/** Tab 登录日志. */
export function Logins() {
  return <ResourceList of={logins} above={<FailureChart />} />;
}
