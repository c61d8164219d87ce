import {
  AccountBookOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
  CreditCardOutlined,
  FileTextOutlined,
  HomeOutlined,
  MedicineBoxOutlined,
  MessageOutlined,
  PictureOutlined,
  QrcodeOutlined,
  ReadOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  ShoppingOutlined,
  TeamOutlined,
  WalletOutlined,
} from '@ant-design/icons';
import type { ComponentType } from 'react';

/** Icons that a menu entry may carry, by the name that is stored. */
export const menuIcons: Readonly<Record<string, { label: string; icon: ComponentType<{ 'aria-hidden'?: boolean }> }>> = {
  HomeOutlined: { label: '首页', icon: HomeOutlined },
  ReadOutlined: { label: '语料', icon: ReadOutlined },
  PictureOutlined: { label: '内容', icon: PictureOutlined },
  MessageOutlined: { label: '消息', icon: MessageOutlined },
  TeamOutlined: { label: '人员', icon: TeamOutlined },
  MedicineBoxOutlined: { label: '医药', icon: MedicineBoxOutlined },
  BankOutlined: { label: '机构', icon: BankOutlined },
  QrcodeOutlined: { label: '二维码', icon: QrcodeOutlined },
  AccountBookOutlined: { label: '结算', icon: AccountBookOutlined },
  WalletOutlined: { label: '钱包', icon: WalletOutlined },
  SafetyCertificateOutlined: { label: '保险', icon: SafetyCertificateOutlined },
  AuditOutlined: { label: '审核', icon: AuditOutlined },
  ShoppingOutlined: { label: '订单', icon: ShoppingOutlined },
  CreditCardOutlined: { label: '卡', icon: CreditCardOutlined },
  FileTextOutlined: { label: '文件', icon: FileTextOutlined },
  AppstoreOutlined: { label: '应用', icon: AppstoreOutlined },
  SettingOutlined: { label: '设置', icon: SettingOutlined },
};

/** A name that is not known draws nothing. */
export default function MenuIcon({ name }: { name: string | null | undefined }) {
  const Icon = name ? menuIcons[name]?.icon : undefined;
  return Icon ? <Icon aria-hidden /> : null;
}
