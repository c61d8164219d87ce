import { resource, ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { Dict, NOTHING } from '../../../../kernel/web/kit/values.tsx';
import { queryLoginLogList } from '../../contract/calls/logs.ts';
import { loginAnomalies, loginMethods, loginResults } from '../../contract/dictionaries.ts';
import { FailureChart } from './FailureChart.tsx';

const logins = resource(queryLoginLogList, {
  routeKey: 'operationLog.logins',
  empty: '没有符合条件的登录记录',
  filters: [
    'userName',
    { kind: 'dict', name: 'result', label: '结果', dictionary: loginResults, several: true },
    { kind: 'instants', names: ['from', 'to'], label: '时间' },
    { kind: 'dict', name: 'method', label: '方式', dictionary: loginMethods },
    { kind: 'dict', name: 'abnormal', label: '异常', dictionary: loginAnomalies, several: true },
    'ip',
  ],
  columns: [
    { key: 'at', title: '时间', kind: 'time', required: true },
    { key: 'userName', title: '用户名', width: 140 },
    { key: 'displayName', title: '姓名', width: 110 },
    { key: 'method', title: '方式', kind: 'dict', dictionary: loginMethods, plain: true, width: 110 },
    { key: 'result', title: '结果', kind: 'dict', dictionary: loginResults, width: 120 },
    {
      key: 'abnormal',
      title: '异常',
      kind: 'custom',
      width: 190,
      render: (row) => (
        <span className="id-tags">
          {row.abnormal.length ? row.abnormal.map((code) => <Dict key={code} of={loginAnomalies} code={code} />) : NOTHING}
        </span>
      ),
    },
    { key: 'ip', title: 'IP', width: 140 },
    { key: 'deviceLabel', title: '设备', width: 180 },
  ],
});

/** Tab 登录日志. */
export function Logins() {
  return <ResourceList of={logins} above={<FailureChart />} />;
}
