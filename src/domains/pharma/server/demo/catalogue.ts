/** Name, short name, roles, country. The last one is disabled. */
export const demoCompanies: readonly (readonly [name: string, short: string, roles: readonly string[], country?: string])[] = [
  ['江苏恒瑞医药股份有限公司', '恒瑞医药', ['MAH', 'MAKER']], ['齐鲁制药有限公司', '齐鲁制药', ['MAH', 'MAKER']], ['正大天晴药业集团股份有限公司', '正大天晴', ['MAH', 'MAKER']],
  ['石药集团欧意药业有限公司', '石药欧意', ['MAH', 'MAKER']], ['扬子江药业集团有限公司', '扬子江药业', ['MAH', 'MAKER']], ['百济神州（苏州）生物科技有限公司', '百济神州', ['MAH', 'MAKER']],
  ['信达生物制药（苏州）有限公司', '信达生物', ['MAH', 'MAKER']], ['天士力医药集团股份有限公司', '天士力', ['MAH', 'MAKER']], ['甘李药业股份有限公司', '甘李药业', ['MAH', 'MAKER']],
  ['阿斯利康（无锡）贸易有限公司', '阿斯利康', ['IMPORTER', 'MAH']], ['诺华（中国）生物医药科技有限公司', '诺华中国', ['IMPORTER']], ['罗氏（中国）投资有限公司', '罗氏中国', ['IMPORTER']],
  ['国药控股分销中心有限公司', '国控分销', ['DISTRIBUTOR']], ['华东康桥医药有限公司', '华东康桥', ['DISTRIBUTOR']],
];

/** Company (index), name, therapy area, start and end as days from today, stopped. */
export const demoLines: readonly (readonly [company: number, name: string, area: string, from: number, to: number, stopped?: boolean])[] = [
  [9, '肺癌产品线', '肿瘤', -500, 400], [9, '乳腺癌产品线', '肿瘤', -400, 45], [9, '呼吸产品线', '呼吸', -300, 500], [9, '心血管产品线', '心血管', -200, 300], [0, '肿瘤产品线', '肿瘤', -600, 300],
  [0, '麻醉镇痛产品线', '麻醉', -300, 200], [1, '抗肿瘤产品线', '肿瘤', -200, 500], [1, '神经产品线', '神经', -100, 600], [2, '肝病产品线', '消化', -500, 20], [2, '肿瘤产品线', '肿瘤', -100, 400],
  [3, '心脑血管产品线', '心血管', -700, -30], [3, '糖尿病产品线', '内分泌', -100, 365], [4, '消化产品线', '消化', -50, 500], [4, '中药产品线', '中药', -400, 300], [5, '血液肿瘤产品线', '血液', -400, 700],
  [6, '免疫治疗产品线', '肿瘤', -300, 600], [7, '心血管中成药产品线', '中药', -800, -60], [8, '胰岛素产品线', '内分泌', -500, 700], [10, '眼科产品线', '眼科', 30, 700], [11, '乳腺癌产品线', '肿瘤', -600, 200],
  [11, '肺癌产品线', '肿瘤', -500, 300], [10, '移植产品线', '免疫', -700, 100, true],
];

/** Tree of therapy areas: children in brackets by level. */
export const demoAreas: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  肿瘤: { 肺癌用药: ['EGFR抑制剂', 'ALK抑制剂', '肺癌免疫治疗'], 乳腺癌用药: ['HER2靶向药', '内分泌治疗', 'CDK4/6抑制剂'], 消化道肿瘤用药: ['胃癌用药', '结直肠癌用药', '肝癌用药'], 血液肿瘤用药: ['白血病用药', '淋巴瘤用药', '骨髓瘤用药'], 支持治疗: ['止吐药', '升白细胞药'] },
  心血管: { 降压药: ['钙通道阻滞剂', 'ARB类', 'β受体阻滞剂'], 调脂药: ['他汀类', 'PCSK9抑制剂'], 抗血栓药: ['抗血小板药', '抗凝药'], 心衰用药: ['ARNI类'] },
  内分泌: { 降糖药: ['双胍类', 'SGLT2抑制剂', 'GLP-1受体激动剂', '胰岛素'], 甲状腺用药: ['甲状腺激素', '抗甲状腺药'], 骨质疏松用药: ['双膦酸盐'] },
  呼吸: { 哮喘与慢阻肺用药: ['吸入糖皮质激素', '长效支气管扩张剂'], 抗感染用药: ['呼吸道抗菌药'] },
  消化: { 肝病用药: ['抗病毒药', '保肝药'], 胃病用药: ['质子泵抑制剂', '胃黏膜保护剂'], 肠道用药: ['炎症性肠病用药'] },
  神经精神: { 抗癫痫药: ['钠通道阻滞剂'], 帕金森用药: ['多巴胺类'], 镇静催眠药: ['苯二氮䓬类'], 抗抑郁药: ['SSRI类'] },
  风湿免疫: { 类风湿用药: ['生物制剂', 'JAK抑制剂'], 皮肤免疫用药: ['IL-17抑制剂', 'IL-4R抑制剂'] },
  麻醉镇痛: { 镇痛药: ['阿片类', '非甾体抗炎药'], 麻醉药: ['静脉麻醉药'] },
  中药: { 心脑血管中成药: ['活血化瘀类'], 感冒清热中成药: ['清热解毒类'], 补益中成药: ['益气养血类'] },
  特医与器械: { 特医食品: ['全营养配方'], 医疗器械: ['血糖监测'] },
};

/** What stands below a group of the third level. */
export const demoFine: Readonly<Record<string, readonly string[]>> = {
  EGFR抑制剂: ['第一代EGFR抑制剂', '第三代EGFR抑制剂'], 胰岛素: ['基础胰岛素', '餐时胰岛素', '预混胰岛素'], 抗凝药: ['Xa因子抑制剂', '维生素K拮抗剂'],
};

/** How one dose of a dosage form is counted. */
export const doseUnits: Readonly<Record<string, string>> = { TABLET: '片', FILM_TABLET: '片', CAPSULE: '粒', SOFT_CAPSULE: '粒', GRANULE: '袋', INHALANT: '瓶', PATCH: '贴', SUPPOSITORY: '粒', OTHER: '袋' };

type Row = readonly [generic: string, brand: string | null, english: string, leaf: string, kind: string, form: string, strengths: readonly string[], maker: number, fen: number, more?: { storage?: string; control?: string; otc?: string; approval?: string }];

/** Generic name, brand, English name, leaf category, kind, dosage form, strengths, maker (index), market price of a package in fen. */
export const demoMedicines: readonly Row[] = [
  ['甲磺酸奥希替尼片', '泰瑞沙', 'Osimertinib Mesylate Tablets', '第三代EGFR抑制剂', 'CHEM', 'FILM_TABLET', ['80mg', '40mg'], 9, 550_000, { approval: '国药准字HJ20170167' }],
  ['吉非替尼片', '伊瑞可', 'Gefitinib Tablets', '第一代EGFR抑制剂', 'CHEM', 'FILM_TABLET', ['250mg'], 1, 49_800], ['盐酸埃克替尼片', '凯美纳', 'Icotinib Hydrochloride Tablets', '第一代EGFR抑制剂', 'CHEM', 'FILM_TABLET', ['125mg'], 2, 138_000],
  ['盐酸阿来替尼胶囊', '安圣莎', 'Alectinib Capsules', 'ALK抑制剂', 'CHEM', 'CAPSULE', ['150mg'], 11, 498_000], ['克唑替尼胶囊', null, 'Crizotinib Capsules', 'ALK抑制剂', 'CHEM', 'CAPSULE', ['250mg', '200mg'], 4, 260_000],
  ['信迪利单抗注射液', '达伯舒', 'Sintilimab Injection', '肺癌免疫治疗', 'BIO', 'INJECTION', ['10ml:100mg'], 6, 108_000, { storage: 'COLD' }], ['替雷利珠单抗注射液', '百泽安', 'Tislelizumab Injection', '肺癌免疫治疗', 'BIO', 'INJECTION', ['10ml:100mg'], 5, 145_000, { storage: 'COLD' }],
  ['注射用曲妥珠单抗', '赫赛汀', 'Trastuzumab for Injection', 'HER2靶向药', 'BIO', 'POWDER_INJ', ['440mg', '150mg'], 11, 550_000, { storage: 'COLD' }], ['马来酸吡咯替尼片', '艾瑞妮', 'Pyrotinib Maleate Tablets', 'HER2靶向药', 'CHEM', 'FILM_TABLET', ['160mg', '80mg'], 0, 220_000],
  ['来曲唑片', '芙瑞', 'Letrozole Tablets', '内分泌治疗', 'CHEM', 'FILM_TABLET', ['2.5mg'], 0, 8_600], ['氟维司群注射液', '芙仕得', 'Fulvestrant Injection', '内分泌治疗', 'CHEM', 'PREFILLED', ['5ml:0.25g'], 9, 236_000, { storage: 'COLD' }],
  ['羟乙磺酸达尔西利片', '艾瑞康', 'Dalpiciclib Tablets', 'CDK4/6抑制剂', 'CHEM', 'FILM_TABLET', ['150mg', '125mg', '50mg'], 0, 480_000], ['甲磺酸阿帕替尼片', '艾坦', 'Apatinib Mesylate Tablets', '胃癌用药', 'CHEM', 'FILM_TABLET', ['250mg', '425mg'], 0, 116_000],
  ['卡培他滨片', '首辅', 'Capecitabine Tablets', '结直肠癌用药', 'CHEM', 'FILM_TABLET', ['500mg', '150mg'], 1, 17_800], ['呋喹替尼胶囊', '爱优特', 'Fruquintinib Capsules', '结直肠癌用药', 'CHEM', 'CAPSULE', ['5mg', '1mg'], 4, 380_000],
  ['甲苯磺酸索拉非尼片', '利格思泰', 'Sorafenib Tablets', '肝癌用药', 'CHEM', 'FILM_TABLET', ['200mg'], 3, 90_000], ['甲磺酸仑伐替尼胶囊', '正维', 'Lenvatinib Capsules', '肝癌用药', 'CHEM', 'CAPSULE', ['4mg'], 2, 96_000],
  ['甲磺酸伊马替尼片', '昕维', 'Imatinib Tablets', '白血病用药', 'CHEM', 'TABLET', ['100mg', '400mg'], 4, 58_000], ['达沙替尼片', '依尼舒', 'Dasatinib Tablets', '白血病用药', 'CHEM', 'FILM_TABLET', ['50mg', '20mg'], 2, 68_000],
  ['泽布替尼胶囊', '百悦泽', 'Zanubrutinib Capsules', '淋巴瘤用药', 'CHEM', 'CAPSULE', ['80mg'], 5, 544_000], ['利妥昔单抗注射液', '达伯华', 'Rituximab Injection', '淋巴瘤用药', 'BIO', 'INJECTION', ['10ml:100mg', '50ml:500mg'], 6, 88_000, { storage: 'COLD' }],
  ['注射用硼替佐米', '齐普乐', 'Bortezomib for Injection', '骨髓瘤用药', 'CHEM', 'POWDER_INJ', ['3.5mg', '1.0mg'], 1, 48_000], ['来那度胺胶囊', '立生', 'Lenalidomide Capsules', '骨髓瘤用药', 'CHEM', 'CAPSULE', ['10mg', '25mg'], 2, 126_000],
  ['盐酸帕洛诺司琼注射液', '欧赛', 'Palonosetron Injection', '止吐药', 'CHEM', 'INJECTION', ['5ml:0.25mg'], 1, 9_800], ['硫培非格司亭注射液', '艾多', 'Mecapegfilgrastim Injection', '升白细胞药', 'BIO', 'PREFILLED', ['0.6ml:6mg'], 0, 286_000, { storage: 'COLD' }],
  ['苯磺酸氨氯地平片', '兰迪', 'Amlodipine Besylate Tablets', '钙通道阻滞剂', 'CHEM', 'TABLET', ['5mg', '10mg'], 4, 1_980], ['缬沙坦胶囊', '平欣', 'Valsartan Capsules', 'ARB类', 'CHEM', 'CAPSULE', ['80mg', '160mg'], 3, 2_680],
  ['酒石酸美托洛尔片', '倍他乐克', 'Metoprolol Tartrate Tablets', 'β受体阻滞剂', 'CHEM', 'TABLET', ['25mg', '50mg'], 9, 1_260], ['阿托伐他汀钙片', '阿乐', 'Atorvastatin Calcium Tablets', '他汀类', 'CHEM', 'FILM_TABLET', ['10mg', '20mg', '40mg'], 1, 2_280],
  ['瑞舒伐他汀钙片', '可定', 'Rosuvastatin Calcium Tablets', '他汀类', 'CHEM', 'FILM_TABLET', ['10mg', '5mg'], 9, 3_380], ['托莱西单抗注射液', '信必乐', 'Tafolecimab Injection', 'PCSK9抑制剂', 'BIO', 'PREFILLED', ['1ml:150mg'], 6, 30_600, { storage: 'COLD' }],
  ['替格瑞洛片', '倍林达', 'Ticagrelor Tablets', '抗血小板药', 'CHEM', 'FILM_TABLET', ['90mg', '60mg'], 9, 11_800], ['利伐沙班片', '京泽', 'Rivaroxaban Tablets', 'Xa因子抑制剂', 'CHEM', 'FILM_TABLET', ['10mg', '15mg', '20mg'], 2, 5_600],
  ['沙库巴曲缬沙坦钠片', '诺欣妥', 'Sacubitril Valsartan Tablets', 'ARNI类', 'CHEM', 'FILM_TABLET', ['50mg', '100mg', '200mg'], 10, 8_680], ['盐酸二甲双胍片', '泰白', 'Metformin Hydrochloride Tablets', '双胍类', 'CHEM', 'TABLET', ['0.5g', '0.25g', '0.85g'], 3, 1_680],
  ['达格列净片', '安达唐', 'Dapagliflozin Tablets', 'SGLT2抑制剂', 'CHEM', 'FILM_TABLET', ['10mg', '5mg'], 9, 6_100], ['恒格列净片', '瑞沁', 'Henagliflozin Tablets', 'SGLT2抑制剂', 'CHEM', 'FILM_TABLET', ['10mg', '5mg'], 0, 5_880],
  ['甘精胰岛素注射液', '长秀霖', 'Insulin Glargine Injection', '基础胰岛素', 'BIO', 'PEN', ['3ml:300单位'], 8, 9_980, { storage: 'COLD' }], ['门冬胰岛素注射液', '锐秀霖', 'Insulin Aspart Injection', '餐时胰岛素', 'BIO', 'PEN', ['3ml:300单位'], 8, 6_880, { storage: 'COLD' }],
  ['赖脯胰岛素注射液', '速秀霖', 'Insulin Lispro Injection', '餐时胰岛素', 'BIO', 'PEN', ['3ml:300单位'], 8, 6_480, { storage: 'COLD' }], ['艾塞那肽注射液', null, 'Exenatide Injection', 'GLP-1受体激动剂', 'BIO', 'PEN', ['10μg', '5μg'], 9, 42_000, { storage: 'COLD' }],
  ['左甲状腺素钠片', null, 'Levothyroxine Sodium Tablets', '甲状腺激素', 'CHEM', 'TABLET', ['50μg', '100μg'], 4, 3_560], ['甲巯咪唑片', null, 'Thiamazole Tablets', '抗甲状腺药', 'CHEM', 'TABLET', ['10mg', '5mg'], 3, 2_680],
  ['阿仑膦酸钠片', null, 'Alendronate Sodium Tablets', '双膦酸盐', 'CHEM', 'TABLET', ['70mg', '10mg'], 3, 6_280], ['布地奈德福莫特罗吸入粉雾剂', '信必可都保', 'Budesonide and Formoterol', '吸入糖皮质激素', 'CHEM', 'INHALANT', ['160μg/4.5μg', '320μg/9μg'], 9, 18_600],
  ['噻托溴铵吸入粉雾剂', '天晴速乐', 'Tiotropium Bromide', '长效支气管扩张剂', 'CHEM', 'INHALANT', ['18μg'], 2, 12_800], ['莫西沙星片', null, 'Moxifloxacin Tablets', '呼吸道抗菌药', 'CHEM', 'FILM_TABLET', ['0.4g'], 4, 4_260],
  ['恩替卡韦分散片', '润众', 'Entecavir Dispersible Tablets', '抗病毒药', 'CHEM', 'TABLET', ['0.5mg', '1.0mg'], 2, 2_380], ['富马酸丙酚替诺福韦片', null, 'Tenofovir Alafenamide', '抗病毒药', 'CHEM', 'FILM_TABLET', ['25mg'], 2, 18_800],
  ['异甘草酸镁注射液', '天晴甘美', 'Magnesium Isoglycyrrhizinate', '保肝药', 'CHEM', 'INJECTION', ['10ml:50mg'], 2, 4_980], ['艾司奥美拉唑镁肠溶片', '耐信', 'Esomeprazole Magnesium', '质子泵抑制剂', 'CHEM', 'TABLET', ['20mg', '40mg'], 9, 6_580],
  ['雷贝拉唑钠肠溶片', null, 'Rabeprazole Sodium', '质子泵抑制剂', 'CHEM', 'TABLET', ['10mg', '20mg'], 4, 3_880], ['瑞巴派特片', null, 'Rebamipide Tablets', '胃黏膜保护剂', 'CHEM', 'TABLET', ['0.1g'], 4, 3_260], ['美沙拉秦肠溶片', null, 'Mesalazine Tablets', '炎症性肠病用药', 'CHEM', 'TABLET', ['0.25g', '0.5g'], 3, 6_860],
  ['奥卡西平片', '仁澳', 'Oxcarbazepine Tablets', '钠通道阻滞剂', 'CHEM', 'FILM_TABLET', ['0.3g', '0.15g'], 10, 8_860], ['多巴丝肼片', '美多芭', 'Levodopa and Benserazide', '多巴胺类', 'CHEM', 'TABLET', ['250mg'], 11, 9_200],
  ['地西泮片', null, 'Diazepam Tablets', '苯二氮䓬类', 'CHEM', 'TABLET', ['2.5mg', '5mg'], 1, 1_200, { control: 'PSYCH2' }], ['阿普唑仑片', null, 'Alprazolam Tablets', '苯二氮䓬类', 'CHEM', 'TABLET', ['0.4mg'], 1, 1_680, { control: 'PSYCH2' }],
  ['盐酸舍曲林片', null, 'Sertraline Tablets', 'SSRI类', 'CHEM', 'FILM_TABLET', ['50mg'], 1, 5_680], ['枸橼酸芬太尼注射液', null, 'Fentanyl Citrate Injection', '阿片类', 'CHEM', 'INJECTION', ['2ml:0.1mg'], 0, 1_580, { control: 'NARCOTIC' }],
  ['盐酸羟考酮缓释片', null, 'Oxycodone Tablets', '阿片类', 'CHEM', 'TABLET', ['10mg'], 0, 12_800, { control: 'NARCOTIC' }], ['盐酸氯胺酮注射液', null, 'Ketamine Injection', '静脉麻醉药', 'CHEM', 'INJECTION', ['2ml:0.1g'], 0, 2_280, { control: 'PSYCH1' }],
  ['依托考昔片', '安康信', 'Etoricoxib Tablets', '非甾体抗炎药', 'CHEM', 'FILM_TABLET', ['60mg', '120mg'], 1, 5_260], ['阿达木单抗注射液', '格乐立', 'Adalimumab Injection', '生物制剂', 'BIO', 'PREFILLED', ['0.8ml:40mg'], 6, 108_000, { storage: 'COLD' }],
  ['枸橼酸托法替布片', null, 'Tofacitinib Citrate Tablets', 'JAK抑制剂', 'CHEM', 'FILM_TABLET', ['5mg'], 1, 36_800], ['司库奇尤单抗注射液', '可善挺', 'Secukinumab Injection', 'IL-17抑制剂', 'BIO', 'PREFILLED', ['1ml:150mg'], 10, 87_000, { storage: 'COLD' }],
  ['司普奇拜单抗注射液', null, 'Stapokibart Injection', 'IL-4R抑制剂', 'BIO', 'PREFILLED', ['2ml:300mg'], 6, 180_000, { storage: 'COLD' }], ['复方丹参滴丸', '天士力', 'Compound Danshen Dripping Pills', '活血化瘀类', 'TCM', 'OTHER', ['27mg'], 7, 2_680, { otc: 'OTC_A' }],
  ['养血清脑颗粒', '天士力', 'Yangxue Qingnao Granules', '活血化瘀类', 'TCM', 'GRANULE', ['4g'], 7, 3_260], ['蓝芩口服液', null, 'Lanqin Oral Liquid', '清热解毒类', 'TCM', 'ORAL_LIQUID', ['10ml'], 4, 3_680, { otc: 'OTC_B' }],
  ['穿心莲内酯滴丸', null, 'Andrographolide Pills', '清热解毒类', 'TCM', 'OTHER', ['0.15g'], 7, 2_980, { otc: 'OTC_A' }], ['芪参益气滴丸', null, 'Qishen Yiqi Pills', '益气养血类', 'TCM', 'OTHER', ['0.5g'], 7, 3_480],
  ['动态血糖监测系统', '康桥测', 'Continuous Glucose Monitor', '血糖监测', 'DEVICE', 'OTHER', ['14天'], 13, 28_800, { approval: '国械注准20213070001' }],
];

/** What the list above lacks: rarer forms, foods, approvals of every form that numbers have had, more that is kept cold. They come last, so that numbers stay. */
export const demoRareMedicines: readonly Row[] = [
  ['尼莫地平软胶囊', null, 'Nimodipine Soft Capsules', '钙通道阻滞剂', 'CHEM', 'SOFT_CAPSULE', ['30mg'], 4, 3_860], ['双氯芬酸二乙胺乳膏', '扶他林', 'Diclofenac Diethylamine Cream', '非甾体抗炎药', 'CHEM', 'OINTMENT', ['20g:0.2g'], 10, 3_280, { otc: 'OTC_A', approval: 'H20140112' }],
  ['氟比洛芬凝胶贴膏', '得百安', 'Flurbiprofen Gel Patch', '非甾体抗炎药', 'CHEM', 'PATCH', ['40mg'], 2, 6_980], ['双氯芬酸钠滴眼液', null, 'Diclofenac Sodium Eye Drops', '非甾体抗炎药', 'CHEM', 'DROPS', ['5ml:5mg'], 4, 2_180, { storage: 'COOL' }],
  ['吲哚美辛栓', null, 'Indometacin Suppositories', '非甾体抗炎药', 'CHEM', 'SUPPOSITORY', ['0.1g'], 3, 1_580, { storage: 'COOL' }], ['整蛋白型肠内营养剂（粉剂）', '能全素', 'Enteral Nutritional Powder', '全营养配方', 'FSMP', 'OTHER', ['320g'], 13, 8_800, { otc: 'NONE', approval: '国药准字B20030123' }],
  ['盐酸厄洛替尼片', null, 'Erlotinib Tablets', '第一代EGFR抑制剂', 'CHEM', 'FILM_TABLET', ['150mg'], 11, 48_600, { approval: '国药准字HC20210003' }],
  ['琥珀酸美托洛尔缓释片', '倍他乐克', 'Metoprolol Succinate Tablets', 'β受体阻滞剂', 'CHEM', 'FILM_TABLET', ['47.5mg'], 9, 1_680, { approval: '国药准字J20180029' }], ['阿那曲唑片', '瑞宁得', 'Anastrozole Tablets', '内分泌治疗', 'CHEM', 'FILM_TABLET', ['1mg'], 9, 28_600, { approval: 'BH20190012' }],
  ['贝伐珠单抗注射液', '达攸同', 'Bevacizumab Injection', '结直肠癌用药', 'BIO', 'INJECTION', ['4ml:100mg'], 6, 115_000, { storage: 'COLD' }], ['注射用艾塞那肽微球', '百达扬', 'Exenatide Microspheres for Injection', 'GLP-1受体激动剂', 'CHEM', 'POWDER_INJ', ['2mg'], 9, 47_800, { storage: 'COLD', approval: '国药准字HJ20170188' }],
  ['玛仕度肽注射液', '信尔美', 'Mazdutide Injection', 'GLP-1受体激动剂', 'CHEM', 'PEN', ['0.4ml:4mg'], 6, 29_800, { storage: 'COLD' }], ['门冬胰岛素30注射液', '锐秀霖30', 'Insulin Aspart 30 Injection', '预混胰岛素', 'BIO', 'PEN', ['3ml:300单位'], 8, 7_280, { storage: 'COLD' }],
  ['奥法妥木单抗注射液', '全欣达', 'Ofatumumab Injection', '生物制剂', 'BIO', 'PREFILLED', ['0.4ml:20mg'], 10, 328_300, { storage: 'COLD', approval: '国药准字SJ20210032' }], ['度伐利尤单抗注射液', '英飞凡', 'Durvalumab Injection', '肺癌免疫治疗', 'BIO', 'INJECTION', ['2.4ml:120mg'], 9, 608_800, { storage: 'COLD', approval: 'S20190039' }],
  ['人粒细胞刺激因子注射液', '瑞白', 'Human Granulocyte Colony-stimulating Factor', '升白细胞药', 'BIO', 'PREFILLED', ['0.3ml:150μg'], 1, 6_180, { storage: 'COLD' }], ['注射用贝林妥欧单抗', '倍利妥', 'Blinatumomab for Injection', '白血病用药', 'BIO', 'POWDER_INJ', ['35μg'], 5, 1_210_000, { storage: 'COLD' }],
];
