import { Tag } from 'antd';
import { miniApps } from '#kernel/contract/linkPlaces.ts';
import { linkTypes, type LinkType } from '../../contract/delivery/dictionaries.ts';

interface LinkTextProps {
  row: { linkType: LinkType; linkValue: string; linkParams: string; linkOff: boolean };
  /** With the words for the kind of link. */
  whole?: boolean;
}

/** Where a delivery leads, and whether that is still there. */
export function LinkText({ row: { linkType, linkValue, linkParams, linkOff }, whole = false }: LinkTextProps) {
  if (linkType === 'NONE') return <span className="kq-muted">不跳转</span>;
  const value = linkType === 'OTHER_MP' ? (miniApps.find(({ appId }) => appId === linkValue)?.name ?? linkValue) : linkValue;
  const text = `${whole ? `${linkTypes.label(linkType)}　` : ''}${value}${linkParams && ` ${linkParams}`}`;
  return (
    <span title={text}>
      {linkOff && <Tag color="error">已下架</Tag>}
      {text}
    </span>
  );
}
