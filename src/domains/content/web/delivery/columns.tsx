import { Popover } from 'antd';
import { showInstant } from '#kernel/contract/time.ts';
import type { Column } from '#kernel/web/kit/columns.ts';

interface Pictured {
  pictureUrl: string | null;
  altText: string;
}

/** The picture, small, and large where it is hovered over; it is named by its alternative text, else by the row's name. */
export const pictureColumn = <Row extends Pictured>(nameOf: (row: Row) => string): Column<Row> => ({
  key: 'picture',
  title: '图片',
  kind: 'custom',
  width: 110,
  render: (row) => {
    if (!row.pictureUrl) return <span className="kq-muted">未上传</span>;
    const alt = row.altText || nameOf(row);
    return (
      <Popover content={<img className="dl-large" src={row.pictureUrl} alt={alt} />}>
        <img className="dl-thumb" src={row.pictureUrl} alt={alt} />
      </Popover>
    );
  },
});

/** From when to when, to the minute. */
export const periodColumn = <Row extends { startAt: string; endAt: string }>(): Column<Row> => ({
  key: 'period',
  title: '投放时间',
  kind: 'text',
  width: 290,
  value: ({ startAt, endAt }) => `${showInstant(startAt).slice(0, 16)} 至 ${showInstant(endAt).slice(0, 16)}`,
});
