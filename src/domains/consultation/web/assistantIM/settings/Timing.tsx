import { useData } from '#kernel/web/http/queries.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryDeskList } from '../../../contract/calls/desks.ts';

const DAYS = '一二三四五六日';

/** 时效与自动回复: the limits that count, and what each desk says by itself. */
export function Timing() {
  const { data, error, refetch } = useData(queryDeskList, {}, { quiet: true });
  return (
    <>
      <dl className="im-facts im-wide-facts">
        <div>
          <dt>首次响应</dt>
          <dd>180 秒，自进入队列起算，至医助或医生第一条消息</dd>
        </div>
        <div>
          <dt>后续响应</dt>
          <dd>300 秒，自患者第一条未回复的消息起算</dd>
        </div>
        <div>
          <dt>计时时段</dt>
          <dd>导诊台按其接待时间，其他会话每天 08:30–18:30；自动回复不算响应</dd>
        </div>
        <div>
          <dt>离岗处理</dt>
          <dd>离岗10分钟，或在岗时断开连接3分钟，有患者等待的会话退回队列</dd>
        </div>
        <div>
          <dt>服务时效</dt>
          <dd>
            接诊、首响与有效时长随服务项目，在 <PageLink to="/doctorService">服务项目</PageLink> 维护
          </dd>
        </div>
      </dl>
      <h4 className="im-sub">自动回复（在“导诊台”中修改）</h4>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <table className="im-table">
          <thead>
            <tr>
              <th>导诊台</th>
              <th>接待时间</th>
              <th>欢迎语</th>
              <th>非接待时间回复（每12小时一次）</th>
            </tr>
          </thead>
          <tbody>
            {data?.map((desk) => (
              <tr key={desk.id}>
                <td>
                  <b>{desk.deskName}</b>
                </td>
                <td>
                  周{desk.weekdays.map((day) => DAYS[day - 1]).join('、')}
                  <br />
                  {desk.dutyFrom}–{desk.dutyTo}
                </td>
                <td>{desk.welcomeText || <span className="kq-muted">未设置</span>}</td>
                <td>{desk.offHoursText || <span className="kq-muted">未设置</span>}</td>
              </tr>
            ))}
            {!data && (
              <tr>
                <td colSpan={4} className="kq-muted">
                  加载中…
                </td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </>
  );
}
