import { NOTHING } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryDoctorCardList, type CardRow } from '../../contract/calls/cards.ts';
import { titles } from '../../contract/dictionaries.ts';
import { hospitalFilter } from '../services/onDemand.tsx';
import '../staffing/staffing.css';

/** Doctors with their cards; a click on the small picture shows it large. */
export const cardListOf = (open: (row: CardRow) => void) =>
  resource(queryDoctorCardList, {
    routeKey: 'doctorCard',
    empty: '没有符合条件的医生，认证通过的医生会出现在这里',
    filters: [{ name: 'doctor', placeholder: '姓名、拼音或编号' }, hospitalFilter, 'state', 'template'],
    columns: [
      {
        key: 'thumb',
        width: 80,
        render: (row) =>
          row.thumb ? (
            <button
              type="button"
              className="st-thumb"
              title="点击预览"
              aria-label={`预览${row.doctorName}的名片`}
              onClick={() => open(row)}
            >
              <img src={row.thumb} alt="" />
            </button>
          ) : (
            NOTHING
          ),
      },
      {
        key: 'doctorName',
        width: 180,
        required: true,
        value: (row) => [row.doctorName, row.titleCode === null ? '' : titles.label(row.titleCode)].filter(Boolean).join(' · '),
      },
      { key: 'doctorNo', width: 160, hidden: true },
      {
        key: 'hospital',
        title: '医院/科室',
        width: 260,
        value: (row) => [row.hospitalName, row.departmentName].filter(Boolean).join(' / '),
      },
      { key: 'template', plain: true, width: 90 },
      // Every card has the same host.
      { key: 'link', value: ({ link }) => link?.replace(/^https?:\/\/[^/]+/, '') ?? '' },
      { key: 'state', width: 90 },
      { key: 'failReason', width: 200, value: (row) => row.failReason ?? (row.state === 'STALE' ? '资料已变更' : '') },
      { key: 'scanCount', width: 80 },
      { key: 'shareCount', width: 80 },
      'updatedAt',
    ],
  });
