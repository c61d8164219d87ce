import { send } from '#kernel/web/http/client.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Money, Time } from '#kernel/web/kit/values.tsx';
import { pageAt } from '#kernel/web/router/pages.ts';
import { queryPatientModule } from '../../contract/calls/ehr.ts';
import { modules, type OrderRow } from '../../contract/modules.ts';
import { MoreList } from '../shared/MoreList.tsx';
import { STEP, useMore } from '../shared/useMore.ts';
import { useRecord } from './recordScope.ts';

const ORDER_PAGE = '/orderManagement';

/** 购药订单 (modular003): pictures of the order domain's rows. */
export function Orders() {
  const { patientId } = useRecord();
  const input = { patientId, moduleCode: 'modular003', orderBy: modules.modular003.orderBy };
  const list = useMore([queryPatientModule.name, input], (pageNo, signal) =>
    send(queryPatientModule, { ...input, pageNo, pageSize: STEP }, { signal, quiet: true }),
  );
  const linked = pageAt(ORDER_PAGE) !== undefined;
  return (
    <MoreList list={list} empty="没有购药订单">
      {(rows) => (
        <table className="pa-grid">
          <thead>
            <tr>
              <th>下单时间</th>
              <th>订单号</th>
              <th>药品</th>
              <th className="pa-right">数量</th>
              <th className="pa-right">可用天数</th>
              <th className="pa-right">金额（元）</th>
              <th>状态</th>
            </tr>
          </thead>
          <tbody>
            {rows
              .filter((row): row is OrderRow => row.moduleCode === 'modular003')
              .map((row) => (
                <tr key={row.id} data-row tabIndex={0}>
                  <td className="pa-nowrap">
                    <Time at={row.orderTime} />
                  </td>
                  <td>
                    {linked ? (
                      <PageLink to={ORDER_PAGE} search={{ orderNo: row.orderNo }}>
                        {row.orderNo}
                      </PageLink>
                    ) : (
                      <span className="kq-number">{row.orderNo}</span>
                    )}
                    {row.drugstoreName && <div className="kq-muted">{row.drugstoreName}</div>}
                  </td>
                  <td>
                    {row.lines.map((line, index) => (
                      <div key={index}>
                        {line.medicineName} <span className="kq-muted">{line.spec}</span>
                      </div>
                    ))}
                  </td>
                  <td className="pa-right">
                    {row.lines.map((line, index) => (
                      <div key={index}>{line.qty}</div>
                    ))}
                  </td>
                  <td className="pa-right">
                    {row.lines.map((line, index) => (
                      <div key={index}>{line.daysSupply ?? '—'}</div>
                    ))}
                  </td>
                  <td className="pa-right">
                    <Money fen={row.payFen} />
                  </td>
                  <td className="pa-nowrap">{row.statusName}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </MoreList>
  );
}
