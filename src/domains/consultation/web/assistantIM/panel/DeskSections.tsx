import { Button } from 'antd';
import { useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { queryDeskDoctors, queryDeskList } from '../../../contract/calls/desks.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { deskSources } from '../../../contract/dictionaries.ts';
import { useDeskState } from '../desk/useDesk.ts';
import { Failed } from '../Failed.tsx';
import { openDialog } from '../dialogs/open.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { Block } from './Block.tsx';

const DAYS = '一二三四五六日';

function DeskFacts({ deskId }: { deskId: string | null }) {
  const { data, error, refetch } = useData(queryDeskList, {}, { quiet: true, fresh: 60_000 });
  const desk = data?.find(({ id }) => id === deskId);
  if (error) return <Failed error={error} onRetry={() => refetch()} />;
  if (!data)
    return (
      <div className="im-skeleton" aria-busy="true">
        <i />
      </div>
    );
  if (!desk) return <p className="im-none">导诊台已停用</p>;
  return (
    <dl className="im-facts">
      <div>
        <dt>导诊台</dt>
        <dd>
          <b>{desk.deskName}</b>
        </dd>
      </div>
      <div>
        <dt>接待时间</dt>
        <dd>
          周{desk.weekdays.map((day) => DAYS[day - 1]).join('、')} {desk.dutyFrom}–{desk.dutyTo}
        </dd>
      </div>
      <div>
        <dt>患者来源</dt>
        <dd>
          {desk.sources.length === 0
            ? '默认导诊'
            : desk.sources.map(({ sourceType, sourceName }) => `${deskSources.label(sourceType)}：${sourceName}`).join('；')}
        </dd>
      </div>
      <div>
        <dt>接待医助</dt>
        <dd>{desk.assistants.map(({ name }) => name).join('、')}</dd>
      </div>
    </dl>
  );
}

/** 导诊台 in place of 医生信息, and doctors to lead the patient to. */
export function DeskSections({ group }: { group: GroupRow }) {
  const [asked, setAsked] = useState<{ keyword?: string; department?: string; adcode?: string }>({});
  const [word, setWord] = useState('');
  const [department, setDepartment] = useState('');
  const [adcode, setAdcode] = useState<string | null>(null);
  const me = useDeskState((state) => state.runtime?.assistant);
  const found = useData(queryDeskDoctors, asked, { quiet: true, fresh: 30_000 });
  const mayRoute = group.ownerAssistantId === me?.assistantId;
  const search = () =>
    setAsked({
      ...(word.trim() && { keyword: word.trim() }),
      ...(department.trim() && { department: department.trim() }),
      ...(adcode && { adcode }),
    });
  return (
    <>
      <Block title="导诊台">
        <DeskFacts deskId={group.deskId} />
      </Block>
      <Block title="推荐医生">
        <form className="im-recommend" onSubmit={(event) => (event.preventDefault(), search())}>
          <TextInput
            size="small"
            allowClear
            most={30}
            placeholder="医生、医院或病种"
            value={word}
            onChange={({ target }) => setWord(target.value)}
          />
          <TextInput
            size="small"
            allowClear
            most={30}
            placeholder="科室"
            value={department}
            onChange={({ target }) => setDepartment(target.value)}
          />
          <RegionPicker value={adcode} onChange={setAdcode} placeholder="城市" />
          <Button size="small" htmlType="submit">
            查找
          </Button>
        </form>
        {found.error ? (
          <Failed error={found.error} onRetry={() => found.refetch()} />
        ) : !found.data ? (
          <div className="im-skeleton" aria-busy="true">
            <i />
            <i />
          </div>
        ) : found.data.length === 0 ? (
          <p className="im-none">没有符合的医生</p>
        ) : (
          found.data.map((doctor) => (
            <article key={doctor.doctorId} className="im-record">
              <p>
                <b>{doctor.doctorName}</b> {doctor.titleName}{' '}
                <i className={doctor.online ? 'im-tag im-tone-success' : 'im-tag'}>{doctor.online ? '在线' : '离线'}</i>
                {mayRoute && doctor.openings.length > 0 && (
                  <button type="button" className="kq-link" onClick={() => openDialog({ kind: 'route', group, doctor })}>
                    转给医生
                  </button>
                )}
              </p>
              <p className="kq-muted">
                {doctor.hospitalName} {doctor.departmentName}
              </p>
              <p className="kq-muted">
                {doctor.openings.map((opening) => `${opening.name} ¥${yuan(Number(opening.priceFen), true)}`).join('；') || '暂未开通服务'}
              </p>
            </article>
          ))
        )}
        {!mayRoute && <p className="kq-muted">接入会话后可转给医生</p>}
      </Block>
    </>
  );
}
