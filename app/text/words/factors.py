"""Titles of the cost factors that come with the product. One that somebody added has no translation and stays as written."""

from app.text.words import _

WORDS = {
    "value.factor.2 TB NVMe SSD price": _("2 TB NVMe SSD price"),
    "value.factor.400G NDR 64-port switch": _("400G NDR 64-port switch"),
    "value.factor.China 1U hosting": _("China 1U hosting"),
    "value.factor.China cabinet 42U up to 12 A dual line with 100M": _("China cabinet 42U up to 12 A dual line with 100M"),
    "value.factor.China cabinet 42U up to 12 A single line with 100M": _("China cabinet 42U up to 12 A single line with 100M"),
    "value.factor.China cabinet price per kW": _("China cabinet price per kW"),
    "value.factor.China dedicated 100 Mbit/s": _("China dedicated 100 Mbit/s"),
    "value.factor.China extra power charge per 500 W": _("China extra power charge per 500 W"),
    "value.factor.China rack circuit": _("China rack circuit"),
    "value.factor.China retail cabinet monthly recurring revenue": _("China retail cabinet monthly recurring revenue"),
    "value.factor.CoreWeave object storage": _("CoreWeave object storage"),
    "value.factor.DGX GB200 NVL72 rack power": _("DGX GB200 NVL72 rack power"),
    "value.factor.FX EUR/USD": _("FX EUR/USD"),
    "value.factor.FX USD/CNY central parity": _("FX USD/CNY central parity"),
    "value.factor.GPU idle power added by CUDA context: A100/H100": _("GPU idle power added by CUDA context: A100/H100"),
    "value.factor.GPU idle power added by CUDA context: L40S": _("GPU idle power added by CUDA context: L40S"),
    "value.factor.GPU idle share of TDP: GeForce and L40S": _("GPU idle share of TDP: GeForce and L40S"),
    "value.factor.GPU idle share of TDP: datacentre SXM": _("GPU idle share of TDP: datacentre SXM"),
    "value.factor.GPU memory MTBE ratio H100 vs A100": _("GPU memory MTBE ratio H100 vs A100"),
    "value.factor.GPU power A100 SXM4 idle": _("GPU power A100 SXM4 idle"),
    "value.factor.GPU power A100-80 SXM4 under load": _("GPU power A100-80 SXM4 under load"),
    "value.factor.GPU power B200 inference": _("GPU power B200 inference"),
    "value.factor.GPU power H100 SXM idle": _("GPU power H100 SXM idle"),
    "value.factor.GPU power H100 SXM idle with model loaded": _("GPU power H100 SXM idle with model loaded"),
    "value.factor.GPU power H100 SXM inference": _("GPU power H100 SXM inference"),
    "value.factor.GPU power H100 SXM training": _("GPU power H100 SXM training"),
    "value.factor.GPU power L40S idle": _("GPU power L40S idle"),
    "value.factor.GPU power L40S under load": _("GPU power L40S under load"),
    "value.factor.GPU power RTX 3090 idle": _("GPU power RTX 3090 idle"),
    "value.factor.GPU power RTX 3090 under load": _("GPU power RTX 3090 under load"),
    "value.factor.GPU power RTX 4090 idle": _("GPU power RTX 4090 idle"),
    "value.factor.GPU power RTX 4090 under load": _("GPU power RTX 4090 under load"),
    "value.factor.GPU power V100 SXM2 idle": _("GPU power V100 SXM2 idle"),
    "value.factor.GPU share of cluster hardware": _("GPU share of cluster hardware"),
    "value.factor.GPU utilisation Alibaba PAI record": _("GPU utilisation Alibaba PAI record"),
    "value.factor.GPU utilisation Kubernetes clusters average": _("GPU utilisation Kubernetes clusters average"),
    "value.factor.GPU utilisation typical company": _("GPU utilisation typical company"),
    "value.factor.HPC cluster administrators": _("HPC cluster administrators"),
    "value.factor.ML GPU price-performance improvement": _("ML GPU price-performance improvement"),
    "value.factor.NVIDIA AI Enterprise education/Inception": _("NVIDIA AI Enterprise education/Inception"),
    "value.factor.NVIDIA AI Enterprise on cloud": _("NVIDIA AI Enterprise on cloud"),
    "value.factor.NVIDIA AI Enterprise perpetual with 5-year support": _("NVIDIA AI Enterprise perpetual with 5-year support"),
    "value.factor.NVIDIA AI Enterprise subscription": _("NVIDIA AI Enterprise subscription"),
    "value.factor.NVIDIA vGPU licence": _("NVIDIA vGPU licence"),
    "value.factor.PUE AWS by region": _("PUE AWS by region"),
    "value.factor.PUE Chinese IDC vendor claim": _("PUE Chinese IDC vendor claim"),
    "value.factor.PUE air-cooled enterprise": _("PUE air-cooled enterprise"),
    "value.factor.PUE direct liquid cooling": _("PUE direct liquid cooling"),
    "value.factor.PUE hyperscale": _("PUE hyperscale"),
    "value.factor.PUE industry average": _("PUE industry average"),
    "value.factor.PUE newer large sites": _("PUE newer large sites"),
    "value.factor.Section 232 duty on certain advanced AI chips": _("Section 232 duty on certain advanced AI chips"),
    "value.factor.use from which owning is said to beat renting": _("use from which owning is said to beat renting"),
    "value.factor.TCO assumption of cluster operator": _("TCO assumption of cluster operator"),
    "value.factor.TCO sheet default electricity price": _("TCO sheet default electricity price"),
    "value.factor.US colocation vacancy primary markets": _("US colocation vacancy primary markets"),
    "value.factor.US rack circuit usable power 20A/208V": _("US rack circuit usable power 20A/208V"),
    "value.factor.VAT general goods": _("VAT general goods"),
    "value.factor.VAT modern services (cloud rental, IDC, software services)": _(
        "VAT modern services (cloud rental, IDC, software services)"
    ),
    "value.factor.WACC data-centre operator": _("WACC data-centre operator"),
    "value.factor.air cooling limit per rack": _("air cooling limit per rack"),
    "value.factor.annual interruption rate per GPU, GPU-related": _("annual interruption rate per GPU, GPU-related"),
    "value.factor.average wage urban non-private units": _("average wage urban non-private units"),
    "value.factor.backup storage China": _("backup storage China"),
    "value.factor.card share of a single-4090 workstation": _("card share of a single-4090 workstation"),
    "value.factor.cluster total vs lowest quote, hyperscaler": _("cluster total vs lowest quote, hyperscaler"),
    "value.factor.colocation GPU density": _("colocation GPU density"),
    "value.factor.colocation deployment timeline": _("colocation deployment timeline"),
    "value.factor.colocation fee per kW-year (Blackwell clusters)": _("colocation fee per kW-year (Blackwell clusters)"),
    "value.factor.colocation retail cabinet": _("colocation retail cabinet"),
    "value.factor.colocation wholesale 250-500 kW primary markets": _("colocation wholesale 250-500 kW primary markets"),
    "value.factor.colocation wholesale global weighted average": _("colocation wholesale global weighted average"),
    "value.factor.commitment discount AWS 1y / 3y": _("commitment discount AWS 1y / 3y"),
    "value.factor.commitment discount Azure 1y / 3y": _("commitment discount Azure 1y / 3y"),
    "value.factor.commitment discount GCP 1y / 3y": _("commitment discount GCP 1y / 3y"),
    "value.factor.component prices of a p4d-like server: 8x A100-40": _("component prices of a p4d-like server: 8x A100-40"),
    "value.factor.cooling energy per IT kWh": _("cooling energy per IT kWh"),
    "value.factor.cooling share of facility power": _("cooling share of facility power"),
    "value.factor.cost of debt: GPU-backed loans": _("cost of debt: GPU-backed loans"),
    "value.factor.depreciation life for planning": _("depreciation life for planning"),
    "value.factor.depreciation life: Alphabet servers": _("depreciation life: Alphabet servers"),
    "value.factor.depreciation life: Amazon servers": _("depreciation life: Amazon servers"),
    "value.factor.depreciation life: CoreWeave GPUs": _("depreciation life: CoreWeave GPUs"),
    "value.factor.depreciation life: Epoch cost model": _("depreciation life: Epoch cost model"),
    "value.factor.depreciation life: Meta servers": _("depreciation life: Meta servers"),
    "value.factor.depreciation life: Microsoft servers": _("depreciation life: Microsoft servers"),
    "value.factor.direct connect port CoreWeave": _("direct connect port CoreWeave"),
    "value.factor.discount rate used in published buy-vs-rent models": _("discount rate used in published buy-vs-rent models"),
    "value.factor.early failure of new accelerators": _("early failure of new accelerators"),
    "value.factor.egress share of AI cloud spend": _("egress share of AI cloud spend"),
    "value.factor.electricity escalation": _("electricity escalation"),
    "value.factor.electricity price data centre": _("electricity price data centre"),
    "value.factor.electricity price industrial average": _("electricity price industrial average"),
    "value.factor.electricity price industrial average, press quote": _("electricity price industrial average, press quote"),
    "value.factor.electricity price industrial by state": _("electricity price industrial by state"),
    "value.factor.electricity price industrial by state (annual)": _("electricity price industrial by state (annual)"),
    "value.factor.electricity price non-household": _("electricity price non-household"),
    "value.factor.electricity price, hyperscale TCO assumption": _("electricity price, hyperscale TCO assumption"),
    "value.factor.embodied carbon 8x H100 server": _("embodied carbon 8x H100 server"),
    "value.factor.embodied carbon Dell C4140 (4-GPU chassis) manufacturing": _("embodied carbon Dell C4140 (4-GPU chassis) manufacturing"),
    "value.factor.embodied carbon Dell R740 manufacturing": _("embodied carbon Dell R740 manufacturing"),
    "value.factor.embodied carbon H100 GPU (HGX share)": _("embodied carbon H100 GPU (HGX share)"),
    "value.factor.embodied carbon a2 host (16x A100)": _("embodied carbon a2 host (16x A100)"),
    "value.factor.embodied carbon g4dn.12xlarge host": _("embodied carbon g4dn.12xlarge host"),
    "value.factor.embodied carbon p3.16xlarge (8x V100)": _("embodied carbon p3.16xlarge (8x V100)"),
    "value.factor.embodied carbon p4d.24xlarge (8x A100)": _("embodied carbon p4d.24xlarge (8x A100)"),
    "value.factor.embodied carbon server without GPU (p5 class)": _("embodied carbon server without GPU (p5 class)"),
    "value.factor.facility build cost 1,024 H100 cluster": _("facility build cost 1,024 H100 cluster"),
    "value.factor.facility build cost per MW": _("facility build cost per MW"),
    "value.factor.fan power as share of the rest of the server": _("fan power as share of the rest of the server"),
    "value.factor.goodput loss cost, managed cluster": _("goodput loss cost, managed cluster"),
    "value.factor.grid carbon intensity AWS cn-northwest-1": _("grid carbon intensity AWS cn-northwest-1"),
    "value.factor.grid carbon intensity asia-east1 Taiwan": _("grid carbon intensity asia-east1 Taiwan"),
    "value.factor.grid carbon intensity asia-east2 Hong Kong": _("grid carbon intensity asia-east2 Hong Kong"),
    "value.factor.grid carbon intensity asia-northeast1 Tokyo": _("grid carbon intensity asia-northeast1 Tokyo"),
    "value.factor.grid carbon intensity asia-southeast1 Singapore": _("grid carbon intensity asia-southeast1 Singapore"),
    "value.factor.grid carbon intensity europe-north1 Finland": _("grid carbon intensity europe-north1 Finland"),
    "value.factor.grid carbon intensity europe-west2 London": _("grid carbon intensity europe-west2 London"),
    "value.factor.grid carbon intensity europe-west3 Frankfurt": _("grid carbon intensity europe-west3 Frankfurt"),
    "value.factor.grid carbon intensity europe-west4 Netherlands": _("grid carbon intensity europe-west4 Netherlands"),
    "value.factor.grid carbon intensity europe-west9 Paris": _("grid carbon intensity europe-west9 Paris"),
    "value.factor.grid carbon intensity life-cycle China": _("grid carbon intensity life-cycle China"),
    "value.factor.grid carbon intensity life-cycle France": _("grid carbon intensity life-cycle France"),
    "value.factor.grid carbon intensity life-cycle Germany": _("grid carbon intensity life-cycle Germany"),
    "value.factor.grid carbon intensity life-cycle United Kingdom": _("grid carbon intensity life-cycle United Kingdom"),
    "value.factor.grid carbon intensity us-central1 Iowa": _("grid carbon intensity us-central1 Iowa"),
    "value.factor.grid carbon intensity us-east4 N. Virginia": _("grid carbon intensity us-east4 N. Virginia"),
    "value.factor.grid carbon intensity us-west1 Oregon": _("grid carbon intensity us-west1 Oregon"),
    "value.factor.grid emission factor China Central": _("grid emission factor China Central"),
    "value.factor.grid emission factor China East": _("grid emission factor China East"),
    "value.factor.grid emission factor China North": _("grid emission factor China North"),
    "value.factor.grid emission factor China North-East": _("grid emission factor China North-East"),
    "value.factor.grid emission factor China North-West": _("grid emission factor China North-West"),
    "value.factor.grid emission factor China national": _("grid emission factor China national"),
    "value.factor.hardware maintenance contract": _("hardware maintenance contract"),
    "value.factor.hardware repair budget": _("hardware repair budget"),
    "value.factor.hyperscaler premium support": _("hyperscaler premium support"),
    "value.factor.import VAT base": _("import VAT base"),
    "value.factor.inter-region transfer": _("inter-region transfer"),
    "value.factor.interconnect share of cluster hardware cost": _("interconnect share of cluster hardware cost"),
    "value.factor.internet egress AWS": _("internet egress AWS"),
    "value.factor.internet egress Azure": _("internet egress Azure"),
    "value.factor.internet egress CoreWeave/Lambda": _("internet egress CoreWeave/Lambda"),
    "value.factor.internet egress GCP": _("internet egress GCP"),
    "value.factor.internet egress OCI": _("internet egress OCI"),
    "value.factor.lead time B200 servers": _("lead time B200 servers"),
    "value.factor.lead time B200 without allocation": _("lead time B200 without allocation"),
    "value.factor.lead time Dell H100 servers": _("lead time Dell H100 servers"),
    "value.factor.lead time H100 (TSMC/Dell channel)": _("lead time H100 (TSMC/Dell channel)"),
    "value.factor.lead time H100 SXM new orders": _("lead time H100 SXM new orders"),
    "value.factor.lead time H100 servers (Omdia)": _("lead time H100 servers (Omdia)"),
    "value.factor.lead time HPE H100 servers": _("lead time HPE H100 servers"),
    "value.factor.liquid-cooled space premium": _("liquid-cooled space premium"),
    "value.factor.list price ratio after 1.6 years: K80 (launch 5,000 in 2014)": _(
        "list price ratio after 1.6 years: K80 (launch 5,000 in 2014)"
    ),
    "value.factor.list price ratio after 2 years: A100 PCIe (15,000 in 2020)": _(
        "list price ratio after 2 years: A100 PCIe (15,000 in 2020)"
    ),
    "value.factor.list price ratio after 2 years: P100 SXM2 (10,500 in 2016)": _(
        "list price ratio after 2 years: P100 SXM2 (10,500 in 2016)"
    ),
    "value.factor.list price ratio after 2 years: V100 PCIe-32 (8,500 in 2018)": _(
        "list price ratio after 2 years: V100 PCIe-32 (8,500 in 2018)"
    ),
    "value.factor.list price ratio after 2 years: V100 SXM3-32 (11,500 in 2018)": _(
        "list price ratio after 2 years: V100 SXM3-32 (11,500 in 2018)"
    ),
    "value.factor.list price ratio after 2.1 years: P100 PCIe (5,699 in 2016)": _(
        "list price ratio after 2.1 years: P100 PCIe (5,699 in 2016)"
    ),
    "value.factor.list price ratio after 3.6 years: K80 (launch 5,000 in 2014)": _(
        "list price ratio after 3.6 years: K80 (launch 5,000 in 2014)"
    ),
    "value.factor.list price ratio after 4 years: P100 SXM2 (10,500 in 2016)": _(
        "list price ratio after 4 years: P100 SXM2 (10,500 in 2016)"
    ),
    "value.factor.list price ratio after 4 years: V100 PCIe-32 (8,500 in 2018)": _(
        "list price ratio after 4 years: V100 PCIe-32 (8,500 in 2018)"
    ),
    "value.factor.list price ratio after 4 years: V100 SXM3-32 (11,500 in 2018)": _(
        "list price ratio after 4 years: V100 SXM3-32 (11,500 in 2018)"
    ),
    "value.factor.list price ratio after 4.1 years: P100 PCIe (5,699 in 2016)": _(
        "list price ratio after 4.1 years: P100 PCIe (5,699 in 2016)"
    ),
    "value.factor.list price ratio after 5.6 years: K80 (launch 5,000 in 2014)": _(
        "list price ratio after 5.6 years: K80 (launch 5,000 in 2014)"
    ),
    "value.factor.list price ratio after 6 years: P100 SXM2 (10,500 in 2016)": _(
        "list price ratio after 6 years: P100 SXM2 (10,500 in 2016)"
    ),
    "value.factor.list price ratio after 6.1 years: P100 PCIe (5,699 in 2016)": _(
        "list price ratio after 6.1 years: P100 PCIe (5,699 in 2016)"
    ),
    "value.factor.list price ratio after 7.6 years: K80 (launch 5,000 in 2014)": _(
        "list price ratio after 7.6 years: K80 (launch 5,000 in 2014)"
    ),
    "value.factor.loaded hourly cost of administrator": _("loaded hourly cost of administrator"),
    "value.factor.loaded hourly cost of operations engineer": _("loaded hourly cost of operations engineer"),
    "value.factor.loading factor on wage": _("loading factor on wage"),
    "value.factor.loan prime rate 1 year": _("loan prime rate 1 year"),
    "value.factor.mean time between interruptions, cluster of 16,384": _("mean time between interruptions, cluster of 16,384"),
    "value.factor.network share incl. facility, 1,024 H100": _("network share incl. facility, 1,024 H100"),
    "value.factor.networking, cabling, insurance hidden adder": _("networking, cabling, insurance hidden adder"),
    "value.factor.new-price ratio after 1 years from 2018-H1: Tesla P4": _("new-price ratio after 1 year from 2018-H1: Tesla P4"),
    "value.factor.new-price ratio after 1 years from 2019-H1: Quadro RTX 6000": _(
        "new-price ratio after 1 year from 2019-H1: Quadro RTX 6000"
    ),
    "value.factor.new-price ratio after 1 years from 2019-H2: Tesla T4": _("new-price ratio after 1 year from 2019-H2: Tesla T4"),
    "value.factor.new-price ratio after 1 years from 2020-H2: RTX 3090": _("new-price ratio after 1 year from 2020-H2: RTX 3090"),
    "value.factor.new-price ratio after 1 years from 2021-H1: Tesla P100 PCIe": _(
        "new-price ratio after 1 year from 2021-H1: Tesla P100 PCIe"
    ),
    "value.factor.new-price ratio after 1 years from 2021-H2: RTX A4000": _("new-price ratio after 1 year from 2021-H2: RTX A4000"),
    "value.factor.new-price ratio after 1 years from 2022-H1: RTX A6000": _("new-price ratio after 1 year from 2022-H1: RTX A6000"),
    "value.factor.new-price ratio after 1 years from 2022-H2: RTX 4090": _("new-price ratio after 1 year from 2022-H2: RTX 4090"),
    "value.factor.new-price ratio after 1 years from 2023-H1: V100-32 SXM2": _("new-price ratio after 1 year from 2023-H1: V100-32 SXM2"),
    "value.factor.new-price ratio after 1 years from 2023-H2: H100 PCIe": _("new-price ratio after 1 year from 2023-H2: H100 PCIe"),
    "value.factor.new-price ratio after 1 years from 2023-H2: L40S": _("new-price ratio after 1 year from 2023-H2: L40S"),
    "value.factor.new-price ratio after 1 years from 2023-H2: RTX 6000 Ada": _("new-price ratio after 1 year from 2023-H2: RTX 6000 Ada"),
    "value.factor.new-price ratio after 1 years from 2024-H1: A100-40 PCIe": _("new-price ratio after 1 year from 2024-H1: A100-40 PCIe"),
    "value.factor.new-price ratio after 1.5 years from 2023-H1: V100-32 SXM2": _(
        "new-price ratio after 1.5 years from 2023-H1: V100-32 SXM2"
    ),
    "value.factor.new-price ratio after 1.5 years from 2024-H1: A100-40 PCIe": _(
        "new-price ratio after 1.5 years from 2024-H1: A100-40 PCIe"
    ),
    "value.factor.new-price ratio after 2 years from 2018-H1: Tesla P4": _("new-price ratio after 2 years from 2018-H1: Tesla P4"),
    "value.factor.new-price ratio after 2 years from 2019-H1: Quadro RTX 6000": _(
        "new-price ratio after 2 years from 2019-H1: Quadro RTX 6000"
    ),
    "value.factor.new-price ratio after 2 years from 2019-H2: Tesla T4": _("new-price ratio after 2 years from 2019-H2: Tesla T4"),
    "value.factor.new-price ratio after 2 years from 2020-H2: RTX 3090": _("new-price ratio after 2 years from 2020-H2: RTX 3090"),
    "value.factor.new-price ratio after 2 years from 2021-H1: Tesla P100 PCIe": _(
        "new-price ratio after 2 years from 2021-H1: Tesla P100 PCIe"
    ),
    "value.factor.new-price ratio after 2 years from 2021-H2: RTX A4000": _("new-price ratio after 2 years from 2021-H2: RTX A4000"),
    "value.factor.new-price ratio after 2 years from 2022-H1: RTX A6000": _("new-price ratio after 2 years from 2022-H1: RTX A6000"),
    "value.factor.new-price ratio after 2 years from 2022-H2: RTX 4090": _("new-price ratio after 2 years from 2022-H2: RTX 4090"),
    "value.factor.new-price ratio after 2 years from 2023-H1: V100-32 SXM2": _("new-price ratio after 2 years from 2023-H1: V100-32 SXM2"),
    "value.factor.new-price ratio after 2 years from 2023-H2: H100 PCIe": _("new-price ratio after 2 years from 2023-H2: H100 PCIe"),
    "value.factor.new-price ratio after 2 years from 2023-H2: RTX 6000 Ada": _("new-price ratio after 2 years from 2023-H2: RTX 6000 Ada"),
    "value.factor.new-price ratio after 2.5 years from 2023-H1: V100-32 SXM2": _(
        "new-price ratio after 2.5 years from 2023-H1: V100-32 SXM2"
    ),
    "value.factor.new-price ratio after 3 years from 2018-H1: Tesla P4": _("new-price ratio after 3 years from 2018-H1: Tesla P4"),
    "value.factor.new-price ratio after 3 years from 2019-H1: Quadro RTX 6000": _(
        "new-price ratio after 3 years from 2019-H1: Quadro RTX 6000"
    ),
    "value.factor.new-price ratio after 3 years from 2019-H2: Tesla T4": _("new-price ratio after 3 years from 2019-H2: Tesla T4"),
    "value.factor.new-price ratio after 3 years from 2020-H2: RTX 3090": _("new-price ratio after 3 years from 2020-H2: RTX 3090"),
    "value.factor.new-price ratio after 3 years from 2021-H1: Tesla P100 PCIe": _(
        "new-price ratio after 3 years from 2021-H1: Tesla P100 PCIe"
    ),
    "value.factor.new-price ratio after 3 years from 2021-H2: RTX A4000": _("new-price ratio after 3 years from 2021-H2: RTX A4000"),
    "value.factor.new-price ratio after 3 years from 2022-H1: RTX A6000": _("new-price ratio after 3 years from 2022-H1: RTX A6000"),
    "value.factor.new-price ratio after 3 years from 2022-H2: RTX 4090": _("new-price ratio after 3 years from 2022-H2: RTX 4090"),
    "value.factor.new-price ratio after 4 years from 2018-H1: Tesla P4": _("new-price ratio after 4 years from 2018-H1: Tesla P4"),
    "value.factor.new-price ratio after 4 years from 2019-H1: Quadro RTX 6000": _(
        "new-price ratio after 4 years from 2019-H1: Quadro RTX 6000"
    ),
    "value.factor.new-price ratio after 4 years from 2019-H2: Tesla T4": _("new-price ratio after 4 years from 2019-H2: Tesla T4"),
    "value.factor.new-price ratio after 4 years from 2020-H2: RTX 3090": _("new-price ratio after 4 years from 2020-H2: RTX 3090"),
    "value.factor.new-price ratio after 4 years from 2021-H1: Tesla P100 PCIe": _(
        "new-price ratio after 4 years from 2021-H1: Tesla P100 PCIe"
    ),
    "value.factor.new-price ratio after 4 years from 2021-H2: RTX A4000": _("new-price ratio after 4 years from 2021-H2: RTX A4000"),
    "value.factor.new-price ratio after 5 years from 2018-H1: Tesla P4": _("new-price ratio after 5 years from 2018-H1: Tesla P4"),
    "value.factor.new-price ratio after 5 years from 2019-H1: Quadro RTX 6000": _(
        "new-price ratio after 5 years from 2019-H1: Quadro RTX 6000"
    ),
    "value.factor.new-price ratio after 5 years from 2019-H2: Tesla T4": _("new-price ratio after 5 years from 2019-H2: Tesla T4"),
    "value.factor.new-price ratio after 5 years from 2020-H2: RTX 3090": _("new-price ratio after 5 years from 2020-H2: RTX 3090"),
    "value.factor.new-price ratio after 6 years from 2018-H1: Tesla P4": _("new-price ratio after 6 years from 2018-H1: Tesla P4"),
    "value.factor.new-price ratio after 6 years from 2019-H1: Quadro RTX 6000": _(
        "new-price ratio after 6 years from 2019-H1: Quadro RTX 6000"
    ),
    "value.factor.new-price ratio after 6 years from 2019-H2: Tesla T4": _("new-price ratio after 6 years from 2019-H2: Tesla T4"),
    "value.factor.new-price ratio after 7 years from 2018-H1: Tesla P4": _("new-price ratio after 7 years from 2018-H1: Tesla P4"),
    "value.factor.node power 8x H100 SXM measured maximum": _("node power 8x H100 SXM measured maximum"),
    "value.factor.node power 8x H100 SXM nameplate": _("node power 8x H100 SXM nameplate"),
    "value.factor.node power in training as share of rating": _("node power in training as share of rating"),
    "value.factor.object storage AWS S3 infrequent": _("object storage AWS S3 infrequent"),
    "value.factor.object storage AWS S3 standard": _("object storage AWS S3 standard"),
    "value.factor.object storage AWS deep archive": _("object storage AWS deep archive"),
    "value.factor.object storage Azure Blob cool": _("object storage Azure Blob cool"),
    "value.factor.object storage Azure Blob hot": _("object storage Azure Blob hot"),
    "value.factor.object storage GCP nearline": _("object storage GCP nearline"),
    "value.factor.object storage GCP standard": _("object storage GCP standard"),
    "value.factor.object storage OCI standard": _("object storage OCI standard"),
    "value.factor.operations hours per node-month": _("operations hours per node-month"),
    "value.factor.other server share of cluster hardware": _("other server share of cluster hardware"),
    "value.factor.over-provisioning needed for job availability": _("over-provisioning needed for job availability"),
    "value.factor.rental price path H100 on-demand AWS per GPU": _("rental price path H100 on-demand AWS per GPU"),
    "value.factor.resale value A100 after 3 years": _("resale value A100 after 3 years"),
    "value.factor.resale value H100 after 1 years": _("resale value H100 after 1 year"),
    "value.factor.resale value H100 after 2 years": _("resale value H100 after 2 years"),
    "value.factor.resale value H100 after 3 years": _("resale value H100 after 3 years"),
    "value.factor.resale value H100 after 4 years": _("resale value H100 after 4 years"),
    "value.factor.resale value H100 after 5 years": _("resale value H100 after 5 years"),
    "value.factor.server non-GPU power as share of GPU power": _("server non-GPU power as share of GPU power"),
    "value.factor.server overhead multiplier on GPU price: A100": _("server overhead multiplier on GPU price: A100"),
    "value.factor.server overhead multiplier on GPU price: P100": _("server overhead multiplier on GPU price: P100"),
    "value.factor.server overhead multiplier on GPU price: V100": _("server overhead multiplier on GPU price: V100"),
    "value.factor.server overhead multiplier on GPU price: average": _("server overhead multiplier on GPU price: average"),
    "value.factor.server power budget for memory and SSDs": _("server power budget for memory and SSDs"),
    "value.factor.server power budget per CPU socket": _("server power budget per CPU socket"),
    "value.factor.server power budget per network adapter": _("server power budget per network adapter"),
    "value.factor.server power per GPU TDP: A100": _("server power per GPU TDP: A100"),
    "value.factor.server power per GPU TDP: H100": _("server power per GPU TDP: H100"),
    "value.factor.server power per GPU TDP: other": _("server power per GPU TDP: other"),
    "value.factor.spare ratio GPU nodes": _("spare ratio GPU nodes"),
    "value.factor.staff for a large HPC system": _("staff for a large HPC system"),
    "value.factor.staff for small on-prem GPU estate": _("staff for small on-prem GPU estate"),
    "value.factor.staff per 4-GPU server": _("staff per 4-GPU server"),
    "value.factor.system administrator median wage": _("system administrator median wage"),
    "value.factor.unexpected interruptions Llama 3 training (16,384 H100, 54 days)": _(
        "unexpected interruptions Llama 3 training (16,384 H100, 54 days)"
    ),
    "value.factor.used price V100-16 SXM2 in 2026 vs 2018 list": _("used price V100-16 SXM2 in 2026 vs 2018 list"),
    "value.factor.used price V100-32 in 2026 vs 2018 list": _("used price V100-32 in 2026 vs 2018 list"),
}
