<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>GraphQuery</name>
    <message>
        <source>“%1” is no regular expression: %2.</source>
        <translation>“%1”不是正则表达式：%2。</translation>
    </message>
</context>
<context>
    <name>GraphView</name>
    <message>
        <source>The graph has no nodes at this step.</source>
        <translation>此步的图中没有节点。</translation>
    </message>
</context>
<context>
    <name>gelens::AccuracyTools</name>
    <message>
        <source>Accuracy</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Show the numbers that the selected node makes</source>
        <translation>显示所选节点产生的数值</translation>
    </message>
    <message>
        <source>Numbers of the selected node</source>
        <translation>所选节点的数值</translation>
    </message>
    <message>
        <source>Compute the selected node's tensor after both steps and compare</source>
        <translation>计算所选节点在两步之后的 Tensor 并比较</translation>
    </message>
    <message>
        <source>Find fp16 overflow</source>
        <translation>查找 fp16 溢出</translation>
    </message>
    <message>
        <source>Look for the node of this step whose 16-bit result overflows first</source>
        <translation>查找此步中 16 位结果最先溢出的节点</translation>
    </message>
</context>
<context>
    <name>gelens::AccuracyView</name>
    <message>
        <source>Tensor files for the model's inputs, in order</source>
        <translation>按顺序选择模型各输入的 Tensor 文件</translation>
    </message>
    <message>
        <source>Tensor files (*.pb)</source>
        <translation>Tensor 文件 (*.pb)</translation>
    </message>
    <message>
        <source>Computing on inputs drawn with seed %1 …</source>
        <translation>正在用种子 %1 生成的输入计算…</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Computing on the given inputs …</source>
        <translation>正在用给定的输入计算…</translation>
    </message>
    <message>
        <source>Computing every node of step %1 …</source>
        <translation>正在计算第 %1 步的所有节点…</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Choose a node in the graph to see the numbers that it makes.</source>
        <translation>在图中选择一个节点，即可查看它产生的数值。</translation>
    </message>
    <message>
        <source>The selected node has no output in the graph of step %1.</source>
        <translation>所选节点在第 %1 步的图中没有输出。</translation>
    </message>
    <message>
        <source>Press Compute: the model runs on drawn inputs up to this node.</source>
        <translation>请点击“计算”：模型将用生成的输入运行到该节点。</translation>
    </message>
    <message>
        <source>No fp16 or bf16 result of step %1 overflows.</source>
        <translation>第 %1 步的 fp16 和 bf16 结果均未溢出。</translation>
    </message>
    <message>
        <source>Step %1 has no fp16 or bf16 values, so nothing can overflow.</source>
        <translation>第 %1 步没有 fp16 或 bf16 值，不会溢出。</translation>
    </message>
    <message>
        <source>Overflow starts at %1 (%2) in step %3: %4 infinite and %5 NaN elements, while the largest number that goes in is %6.</source>
        <translation>溢出始于第 %3 步的 %1（%2）：%4 个无穷大、%5 个 NaN 元素，而其输入的最大绝对值为 %6。</translation>
    </message>
    <message>
        <source>Agrees with step %1.</source>
        <translation>与第 %1 步一致。</translation>
    </message>
    <message>
        <source>Differs from step %1 beyond the tolerance.</source>
        <translation>与第 %1 步的差异超出容差。</translation>
    </message>
    <message>
        <source>Step %1 has no such value to compare with.</source>
        <translation>第 %1 步没有可比较的对应值。</translation>
    </message>
    <message>
        <source>There it is %1.</source>
        <translation>在那一步对应 %1。</translation>
    </message>
    <message>
        <source>%1 of %2 elements are listed: the first ones and those that differ most.</source>
        <translation>共 %2 个元素，列出 %1 个：最前面的和差异最大的。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Inputs are drawn with this seed; the same seed gives the same numbers everywhere</source>
        <translation>输入由该种子生成；同一种子在任何机器上得到相同的数值</translation>
    </message>
    <message>
        <source>Which of the node's outputs is shown</source>
        <translation>显示该节点的哪个输出</translation>
    </message>
    <message>
        <source>Inputs: drawn</source>
        <translation>输入：随机生成</translation>
    </message>
    <message>
        <source>Inputs: %1 files</source>
        <translation>输入：%1 个文件</translation>
    </message>
    <message>
        <source>What the model is given</source>
        <translation>提供给模型的输入</translation>
    </message>
    <message>
        <source>From files…</source>
        <translation>来自文件…</translation>
    </message>
    <message>
        <source>Draw them</source>
        <translation>随机生成</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Run the model up to the selected node, after both steps, and compare</source>
        <translation>在两步的图上分别运行到所选节点并比较</translation>
    </message>
    <message>
        <source>Find overflow</source>
        <translation>查找溢出</translation>
    </message>
    <message>
        <source>Run the whole graph of the shown step and look for the node where fp16 or bf16 overflows first</source>
        <translation>运行所示步骤的整图，查找 fp16 或 bf16 最先溢出的节点</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop computing</source>
        <translation>停止计算</translation>
    </message>
    <message>
        <source>Show node</source>
        <translation>显示节点</translation>
    </message>
    <message>
        <source>Select the node where the overflow starts</source>
        <translation>选中溢出开始的节点</translation>
    </message>
    <message>
        <source>Export the histogram</source>
        <translation>导出直方图</translation>
    </message>
    <message>
        <source>No node is selected.</source>
        <translation>未选中节点。</translation>
    </message>
    <message>
        <source>There are no numbers here.</source>
        <translation>此处没有数值。</translation>
    </message>
    <message>
        <source>Nothing is computed yet.</source>
        <translation>尚未计算。</translation>
    </message>
    <message>
        <source>The value cannot be computed.</source>
        <translation>无法计算该数值。</translation>
    </message>
    <message>
        <source>Cancel stops it; nothing is lost but the time.</source>
        <translation>点击“取消”可停止计算，已有结果不受影响。</translation>
    </message>
    <message>
        <source>Compute with inputs from files</source>
        <translation>用文件中的输入计算</translation>
    </message>
    <message>
        <source>Compute with random inputs again</source>
        <translation>重新用随机输入计算</translation>
    </message>
</context>
<context>
    <name>gelens::AliveModel</name>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>产生者</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>内存块</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>From</source>
        <translation>起</translation>
    </message>
    <message>
        <source>To</source>
        <translation>止</translation>
    </message>
</context>
<context>
    <name>gelens::BreakpointList</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>operator type</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>rule fires</source>
        <translation>规则生效</translation>
    </message>
    <message>
        <source>rule is refused</source>
        <translation>规则被拒</translation>
    </message>
    <message>
        <source>statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>%1 when %2</source>
        <translation>%1，条件：%2</translation>
    </message>
</context>
<context>
    <name>gelens::BreakpointsModel</name>
    <message>
        <source>Breakpoint</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中次数</translation>
    </message>
    <message>
        <source>Stops at</source>
        <translation>停在</translation>
    </message>
    <message>
        <source>nowhere in this run</source>
        <translation>本次运行中不会停</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>no. %1</source>
        <translation>第 %1 次</translation>
    </message>
    <message>
        <source>not yet in this run</source>
        <translation>本次运行尚未停在此处</translation>
    </message>
</context>
<context>
    <name>gelens::BreakpointsView</name>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Say above what to wait for and press Enter, or set one on the pass shown with Ctrl+B; F8 then goes from stop to stop, and a compile can halt there.</source>
        <translation>请在上方输入要等待的内容并按回车，或按 Ctrl+B 在当前 Pass 上设置断点；之后按 F8 逐个停下，编译也可在该处暂停。</translation>
    </message>
    <message>
        <source>pass, phase or rule: FlashAttention*</source>
        <translation>Pass、阶段或规则：FlashAttention*</translation>
    </message>
    <message>
        <source>node name: *layers.0*</source>
        <translation>节点名：*layers.0*</translation>
    </message>
    <message>
        <source>operator type: BatchMatMul*</source>
        <translation>算子类型：BatchMatMul*</translation>
    </message>
    <message>
        <source>tensor as node:index: */Softmax:0</source>
        <translation>Tensor（节点:序号）：*/Softmax:0</translation>
    </message>
    <message>
        <source>rule or GE pass: *SwiGlu*</source>
        <translation>规则或 GE Pass：*SwiGlu*</translation>
    </message>
    <message>
        <source>memory &gt; 20M, operators &lt; 300, ms &gt; 5 …</source>
        <translation>memory &gt; 20M、operators &lt; 300、ms &gt; 5 …</translation>
    </message>
    <message>
        <source>What to wait for</source>
        <translation>等待的对象</translation>
    </message>
    <message>
        <source>* and ? stand for anything; upper and lower case do not matter</source>
        <translation>* 和 ? 为通配符，不区分大小写</translation>
    </message>
    <message>
        <source>only when: hits &gt;= 2 and edits &gt; 10</source>
        <translation>仅当：hits &gt;= 2 and edits &gt; 10</translation>
    </message>
    <message>
        <source>Figures: hits, step, edits, operators, nodes, edges, constants, ms, memory, peak; joined by “and”; numbers may end in k, M or G</source>
        <translation>可用的量：hits、step、edits、operators、nodes、edges、constants、ms、memory、peak；用“and”连接；数字可带 k、M、G 后缀</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add this breakpoint (Enter)</source>
        <translation>添加此断点（回车）</translation>
    </message>
    <message>
        <source>Double click or Enter goes to the next stop</source>
        <translation>双击或回车跳到下一个停止处</translation>
    </message>
    <message>
        <source>No breakpoint is set.</source>
        <translation>还没有断点。</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Put this in the place of the breakpoint that was chosen (Enter)</source>
        <translation>用此内容替换所选的断点（回车）</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Change what the chosen breakpoint waits for</source>
        <translation>更改所选断点等待的内容</translation>
    </message>
    <message>
        <source>Remove the chosen breakpoints</source>
        <translation>删除所选的断点</translation>
    </message>
</context>
<context>
    <name>gelens::ChainsModel</name>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>算子链</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>Has</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Fits when</source>
        <translation>满足条件</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>处理建议</translation>
    </message>
</context>
<context>
    <name>gelens::ChartExport</name>
    <message>
        <source>Writing %1 …</source>
        <translation>正在写入 %1 …</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1 was not written. %2</source>
        <translation>%1 未写入。%2</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>There is nothing to export here yet.</source>
        <translation>这里还没有可导出的内容。</translation>
    </message>
    <message>
        <source>Write it as SVG, PNG or PDF</source>
        <translation>写为 SVG、PNG 或 PDF</translation>
    </message>
    <message>
        <source>Put what is seen on the clipboard</source>
        <translation>将所见内容复制到剪贴板</translation>
    </message>
    <message>
        <source>Export as %1…</source>
        <translation>导出为 %1…</translation>
    </message>
    <message>
        <source>Write the picture as a %1 file</source>
        <translation>将图片写为 %1 文件</translation>
    </message>
</context>
<context>
    <name>gelens::ChangesModel</name>
    <message>
        <source>Change</source>
        <translation>变更</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
</context>
<context>
    <name>gelens::CrumbBar</name>
    <message>
        <source>Blocks around the selection</source>
        <translation>所选节点外层的块</translation>
    </message>
</context>
<context>
    <name>gelens::DebugTools</name>
    <message>
        <source>Run to breakpoint</source>
        <translation>运行到断点</translation>
    </message>
    <message>
        <source>On to the next step at which a breakpoint stops</source>
        <translation>前进到下一个断点所停的步</translation>
    </message>
    <message>
        <source>Back to breakpoint</source>
        <translation>退回到断点</translation>
    </message>
    <message>
        <source>Back to the step before at which a breakpoint stops</source>
        <translation>退回到上一个断点所停的步</translation>
    </message>
    <message>
        <source>Breakpoint on this pass</source>
        <translation>在此 Pass 设断点</translation>
    </message>
    <message>
        <source>Set or take away a breakpoint on the pass shown</source>
        <translation>在当前 Pass 上设置或取消断点</translation>
    </message>
    <message>
        <source>Break on the selected node</source>
        <translation>在选中节点设断点</translation>
    </message>
    <message>
        <source>Stop at every step that touches the selected node</source>
        <translation>每当有步骤改动选中节点时停下</translation>
    </message>
    <message>
        <source>What-if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>Compile with other options and compare</source>
        <translation>换用其他选项编译并比较</translation>
    </message>
    <message>
        <source>Breakpoints</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>Show what stops the walk through the steps</source>
        <translation>显示单步过程中的断点</translation>
    </message>
    <message>
        <source>Text diff</source>
        <translation>文本对比</translation>
    </message>
    <message>
        <source>Compare two dumps as text, by node and attribute</source>
        <translation>按节点和属性对比两份 dump 文本</translation>
    </message>
    <message>
        <source>Log decoder</source>
        <translation>日志解读</translation>
    </message>
    <message>
        <source>Read a log of ATC or GE with the model at hand</source>
        <translation>结合当前模型解读 ATC 或 GE 日志</translation>
    </message>
    <message>
        <source>Stopped at step %1: %2</source>
        <translation>停在第 %1 步：%2</translation>
    </message>
    <message>
        <source>base run</source>
        <translation>基准运行</translation>
    </message>
    <message>
        <source>Find the pass that…</source>
        <translation>查找引起变化的 Pass…</translation>
    </message>
    <message>
        <source>Find by halving which pass changes results, takes a node away or moves a figure</source>
        <translation>用二分法查找是哪个 Pass 改变了结果、去掉了节点或改变了指标</translation>
    </message>
    <message>
        <source>What-if without this pass</source>
        <translation>跳过此 Pass 的假设分析</translation>
    </message>
    <message>
        <source>Compile without the pass shown and compare</source>
        <translation>跳过当前显示的 Pass 编译并比较</translation>
    </message>
    <message>
        <source>No fusion rule names %1 and a neighbour of it.</source>
        <translation>没有融合规则同时涉及 %1 及其相邻节点。</translation>
    </message>
</context>
<context>
    <name>gelens::DiffView</name>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>Step %1 is compared with itself.</source>
        <translation>第 %1 步与自身比较。</translation>
    </message>
    <message>
        <source>Nothing changed from step %1 to step %2 (%3).</source>
        <translation>从第 %1 步到第 %2 步（%3）没有变更。</translation>
    </message>
    <message>
        <source>This was the last change.</source>
        <translation>已是最后一处变更。</translation>
    </message>
    <message>
        <source>This was the first change.</source>
        <translation>已是第一处变更。</translation>
    </message>
    <message>
        <source>Previous change</source>
        <translation>上一处变更</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>下一处变更</translation>
    </message>
    <message>
        <source>Changed nodes</source>
        <translation>有变更的节点</translation>
    </message>
    <message>
        <source>Fields before and after</source>
        <translation>字段前后对比</translation>
    </message>
    <message>
        <source> · matched %1 by name, %2 by origin names, %3 by structure, %4 sure</source>
        <translation> · 匹配：按名称 %1，按来源名 %2，按结构 %3，置信度 %4</translation>
    </message>
    <message>
        <source>Step %1 against %2 · nodes %3 · tensors %4 · nodes unchanged %5</source>
        <translation>第 %1 步 对比 第 %2 步 · 节点 %3 · Tensor %4 · 未变节点 %5</translation>
    </message>
    <message>
        <source>To the change before</source>
        <translation>转到上一处变更</translation>
    </message>
    <message>
        <source>To the next change</source>
        <translation>转到下一处变更</translation>
    </message>
    <message>
        <source>“Change ▶▶” in the tool bar goes to the next step that changes something; the pipeline list shows where they are.</source>
        <translation>工具栏的“变更 ▶▶”转到下一个有变更的步骤；编译流程列表显示它们的位置。</translation>
    </message>
    <message>
        <source>No step of this run changes the graph.</source>
        <translation>此次运行没有任何步骤改变图。</translation>
    </message>
</context>
<context>
    <name>gelens::ElementsModel</name>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对差</translation>
    </message>
</context>
<context>
    <name>gelens::ErrorCodes</name>
    <message>
        <source>A parameter has a value that is not allowed; the message names both and the reason.</source>
        <translation>某个参数取值非法；报错信息给出参数、取值和原因。</translation>
    </message>
    <message>
        <source>--input_shape cannot be read. Write name1:n,c,h,w;name2:n,c,h,w with the model&apos;s input names and whole numbers.</source>
        <translation>--input_shape 无法解析。请写成 name1:n,c,h,w;name2:n,c,h,w，使用模型的输入名和整数。</translation>
    </message>
    <message>
        <source>A command line option has a value that is not allowed.</source>
        <translation>某个命令行选项取值非法。</translation>
    </message>
    <message>
        <source>An operator named in an option is not in the model. Check the name; here it would be a link.</source>
        <translation>选项中指定的算子不在模型中。请检查名称；若存在，此处会显示为链接。</translation>
    </message>
    <message>
        <source>With dynamic batch sizes only the batch axis may be -1 in --input_shape.</source>
        <translation>使用动态 batch 时，--input_shape 中只有 batch 轴可以为 -1。</translation>
    </message>
    <message>
        <source>With dynamic image sizes only height and width may be -1 in --input_shape.</source>
        <translation>使用动态分辨率时，--input_shape 中只有高和宽可以为 -1。</translation>
    </message>
    <message>
        <source>A path is too long.</source>
        <translation>路径过长。</translation>
    </message>
    <message>
        <source>A path names a folder where a file is wanted.</source>
        <translation>此处需要文件名，给出的却是目录。</translation>
    </message>
    <message>
        <source>Two options contradict each other, for instance single stream and stream labels.</source>
        <translation>两个选项互相矛盾，例如单流与流标签。</translation>
    </message>
    <message>
        <source>A path does not exist.</source>
        <translation>路径不存在。</translation>
    </message>
    <message>
        <source>A file cannot be opened.</source>
        <translation>文件无法打开。</translation>
    </message>
    <message>
        <source>A file cannot be read.</source>
        <translation>文件无法读取。</translation>
    </message>
    <message>
        <source>A file cannot be written.</source>
        <translation>文件无法写入。</translation>
    </message>
    <message>
        <source>A model file cannot be parsed: another framework, another protobuf version, or damaged. Try opening it here; the reader names the place.</source>
        <translation>模型文件无法解析：框架不符、protobuf 版本不符或文件损坏。可在此打开它，读取器会指出位置。</translation>
    </message>
    <message>
        <source>Two operators of the graph have one name.</source>
        <translation>图中有两个算子重名。</translation>
    </message>
    <message>
        <source>No importer knows this operator type. Register the custom operator, or install the package that has it.</source>
        <translation>没有解析器支持该算子类型。请注册自定义算子，或安装包含它的算子包。</translation>
    </message>
    <message>
        <source>A parameter of an operator has a value that is not allowed.</source>
        <translation>算子的某个参数取值非法。</translation>
    </message>
    <message>
        <source>The OM file would be larger than the limit. Keep weights outside the file or quantise them; the memory view shows the largest.</source>
        <translation>OM 文件将超过大小上限。可将权重外置或量化；内存视图会列出最大的 Tensor。</translation>
    </message>
    <message>
        <source>An environment variable has a value that is not allowed.</source>
        <translation>某个环境变量取值非法。</translation>
    </message>
    <message>
        <source>A custom fusion pass failed while it ran.</source>
        <translation>自定义融合 Pass 执行失败。</translation>
    </message>
    <message>
        <source>Type, inputs or outputs of an operator do not fit its parameters.</source>
        <translation>算子的类型、输入或输出与其参数不匹配。</translation>
    </message>
    <message>
        <source>The ONNX model has no node of a kind that it must have.</source>
        <translation>ONNX 模型缺少必需的节点。</translation>
    </message>
    <message>
        <source>The ONNX model uses several operator sets of one domain. Export it with one; model-local functions of newer exporters cause this.</source>
        <translation>ONNX 模型在同一个域中使用了多个算子集版本。请用单一版本导出；新版导出器的模型内函数会导致此问题。</translation>
    </message>
    <message>
        <source>The model needs more device memory than there is. The memory view says what the peak is made of and what would lower it.</source>
        <translation>模型所需显存超过可用显存。内存视图说明峰值由什么构成、如何降低。</translation>
    </message>
    <message>
        <source>The model is larger than the limit. Keep weights outside the file or quantise them.</source>
        <translation>模型超过大小上限。可将权重外置或量化。</translation>
    </message>
    <message>
        <source>Inner error of GE. The cause stands in the lines before it: look for the first error and for node names.</source>
        <translation>GE 内部错误。原因在其前面的日志行中：请查找第一条错误和节点名。</translation>
    </message>
    <message>
        <source>A custom operator lacks a part of its implementation, such as tiling.</source>
        <translation>自定义算子缺少部分实现，例如 tiling。</translation>
    </message>
    <message>
        <source>GE&apos;s check of the graph found something odd; it goes on.</source>
        <translation>GE 的图检查发现异常，但会继续。</translation>
    </message>
    <message>
        <source>An operator could not be compiled for the AI core.</source>
        <translation>某个算子无法为 AI Core 编译。</translation>
    </message>
    <message>
        <source>A parameter of an aclnn call is not allowed.</source>
        <translation>aclnn 调用的参数非法。</translation>
    </message>
    <message>
        <source>An operator failed while it ran: its tiling or its shape inference.</source>
        <translation>算子执行失败：tiling 或 shape 推导出错。</translation>
    </message>
    <message>
        <source>A kernel library refuses this operator with these types or formats; the message lists what each library would take.</source>
        <translation>算子信息库拒绝该算子的数据类型或格式；报错信息列出各库支持的组合。</translation>
    </message>
    <message>
        <source>No kernel library takes this operator: type, data types or formats are not supported on this chip.</source>
        <translation>没有算子信息库支持该算子：此芯片不支持其类型、数据类型或格式。</translation>
    </message>
    <message>
        <source>An aclnn call failed while it ran.</source>
        <translation>aclnn 调用执行失败。</translation>
    </message>
    <message>
        <source>Inner error of an AI core operator. The lines before it name the operator.</source>
        <translation>AI Core 算子内部错误。前面的日志行给出算子名。</translation>
    </message>
    <message>
        <source>Inner error of the runtime; often a consequence of what failed before.</source>
        <translation>Runtime 内部错误；往往是前面失败的后果。</translation>
    </message>
    <message>
        <source>A call of the runtime was given a parameter that is not allowed.</source>
        <translation>Runtime 调用的参数非法。</translation>
    </message>
    <message>
        <source>Cards waited for each other too long: one of them stopped, or is slower than the time-out.</source>
        <translation>卡间等待超时：某张卡已停止，或慢于超时时间。</translation>
    </message>
    <message>
        <source>A port of the card&apos;s network adapter is taken, often by a second process on the same card.</source>
        <translation>卡上网口的端口被占用，常见于同一张卡上的第二个进程。</translation>
    </message>
    <message>
        <source>GE: an option or an environment setting.</source>
        <translation>GE：选项或环境设置。</translation>
    </message>
    <message>
        <source>GE: the Caffe model or its weights.</source>
        <translation>GE：Caffe 模型或其权重。</translation>
    </message>
    <message>
        <source>GE: the TensorFlow model.</source>
        <translation>GE：TensorFlow 模型。</translation>
    </message>
    <message>
        <source>GE: a file, a path or an operator of the model.</source>
        <translation>GE：文件、路径或模型中的算子。</translation>
    </message>
    <message>
        <source>GE: parameters of an operator while it is compiled.</source>
        <translation>GE：编译时的算子参数。</translation>
    </message>
    <message>
        <source>GE: the ONNX model.</source>
        <translation>GE：ONNX 模型。</translation>
    </message>
    <message>
        <source>GE: import or compile of the graph.</source>
        <translation>GE：图的导入或编译。</translation>
    </message>
    <message>
        <source>Compile of an AI core operator.</source>
        <translation>AI Core 算子编译。</translation>
    </message>
    <message>
        <source>Compile of an AI core operator: a parameter of it is refused.</source>
        <translation>AI Core 算子编译：某个参数被拒绝。</translation>
    </message>
    <message>
        <source>Compile of an AI core operator: the step before or behind the compiler.</source>
        <translation>AI Core 算子编译：编译器之前或之后的环节。</translation>
    </message>
    <message>
        <source>An operator or its kernel library.</source>
        <translation>算子或其算子信息库。</translation>
    </message>
    <message>
        <source>The runtime on the device.</source>
        <translation>设备上的 Runtime。</translation>
    </message>
    <message>
        <source>Communication between cards (HCCL).</source>
        <translation>卡间通信（HCCL）。</translation>
    </message>
    <message>
        <source>The network adapter of a card (HCCP).</source>
        <translation>卡的网络适配器（HCCP）。</translation>
    </message>
    <message>
        <source>The driver.</source>
        <translation>驱动。</translation>
    </message>
    <message>
        <source>Autofusion gives this as its reason not to fuse.</source>
        <translation>自动融合给出的不融合原因。</translation>
    </message>
    <message>
        <source>A warning; the compile goes on.</source>
        <translation>告警；编译继续。</translation>
    </message>
    <message>
        <source>An error of CANN that is not in the list here.</source>
        <translation>未收录的 CANN 错误码。</translation>
    </message>
    <message>
        <source>The two share no tensor: joined they would read no less.</source>
        <translation>两者没有共享的 Tensor：融合后并不会少读数据。</translation>
    </message>
    <message>
        <source>Joined they would make a cycle: something outside lies between the two.</source>
        <translation>融合后会成环：两者之间还有外部节点。</translation>
    </message>
    <message>
        <source>Side by side they would raise the peak of memory by more than is saved.</source>
        <translation>水平融合会抬高内存峰值，超过节省的部分。</translation>
    </message>
    <message>
        <source>GE could not read the graph inside one of the two kernels.</source>
        <translation>GE 无法读取其中一个 kernel 的内部图。</translation>
    </message>
    <message>
        <source>GE could not update the results of the graph inside a kernel.</source>
        <translation>GE 无法更新 kernel 内部图的输出。</translation>
    </message>
    <message>
        <source>The axes of both cannot be one loop nest.</source>
        <translation>两者的轴无法合成同一个循环嵌套。</translation>
    </message>
    <message>
        <source>Joined they would read more tensors than are allowed (8 unless set).</source>
        <translation>融合后的输入 Tensor 数超过上限（默认 8 个）。</translation>
    </message>
    <message>
        <source>The axes of a kernel cannot be told, for instance because its shape is dynamic.</source>
        <translation>无法推导 kernel 的轴，例如 shape 是动态的。</translation>
    </message>
    <message>
        <source>The groups of axes of both cannot be merged, as those of two reductions in a row.</source>
        <translation>两者的轴分组无法合并，例如连续两个归约。</translation>
    </message>
    <message>
        <source>More original operators than a kernel may hold (64 unless set).</source>
        <translation>原始算子数超过一个 kernel 的上限（默认 64 个）。</translation>
    </message>
    <message>
        <source>Only element-wise operators join the Concat behind them.</source>
        <translation>只有逐元素算子能与其后的 Concat 融合。</translation>
    </message>
    <message>
        <source>A Concat and a reduction do not join.</source>
        <translation>Concat 与归约不能融合。</translation>
    </message>
    <message>
        <source>Two Concats do not join.</source>
        <translation>两个 Concat 不能融合。</translation>
    </message>
    <message>
        <source>A Concat only joins with what it reads or what reads it, along the axis it is scheduled by.</source>
        <translation>Concat 只能沿其调度轴与上下游融合。</translation>
    </message>
    <message>
        <source>The axis of the Concat and the loop before it differ in size.</source>
        <translation>Concat 的轴与其前面循环的长度不同。</translation>
    </message>
    <message>
        <source>A Gather does not join with what comes before it.</source>
        <translation>Gather 不能与其前面的算子融合。</translation>
    </message>
    <message>
        <source>A Gather and a reduction do not join.</source>
        <translation>Gather 与归约不能融合。</translation>
    </message>
    <message>
        <source>A Gather and a Concat do not join.</source>
        <translation>Gather 与 Concat 不能融合。</translation>
    </message>
    <message>
        <source>A Gather and its reader loop over axes of different sizes.</source>
        <translation>Gather 与其下游的循环轴长度不同。</translation>
    </message>
    <message>
        <source>A Gather does not join with an element-wise operator that changes dims (a view).</source>
        <translation>Gather 不能与带维度变换（视图）的逐元素算子融合。</translation>
    </message>
    <message>
        <source>A reduction does not join with a kernel beside it.</source>
        <translation>归约不能水平融合。</translation>
    </message>
    <message>
        <source>A Transpose joins with element-wise operators alone.</source>
        <translation>Transpose 只能与逐元素算子融合。</translation>
    </message>
    <message>
        <source>A slice does not join with a kernel that only reads the same tensor.</source>
        <translation>切片不能与仅共享输入的 kernel 水平融合。</translation>
    </message>
    <message>
        <source>The graphs inside the two kernels cannot be merged.</source>
        <translation>两个 kernel 的内部图无法合并。</translation>
    </message>
    <message>
        <source>The two ask for different numbers of vector cores.</source>
        <translation>两者要求的 Vector 核数不同。</translation>
    </message>
    <message>
        <source>A Split among the inputs keeps them apart.</source>
        <translation>输入中有 Split，不能融合。</translation>
    </message>
    <message>
        <source>A Gather joins with element-wise operators alone, one behind the other.</source>
        <translation>Gather 只能与逐元素算子垂直融合。</translation>
    </message>
    <message>
        <source>A Split does not join with what comes before it.</source>
        <translation>Split 不能与其前面的算子融合。</translation>
    </message>
    <message>
        <source>A Split does not join with a Concat behind it.</source>
        <translation>Split 不能与其后的 Concat 融合。</translation>
    </message>
    <message>
        <source>A reduction joins with three operators at most.</source>
        <translation>归约最多与三个算子融合。</translation>
    </message>
    <message>
        <source>Behind a reduction only element-wise operators join, three at most.</source>
        <translation>归约之后只能融合逐元素算子，且最多三个。</translation>
    </message>
    <message>
        <source>The element-wise operator reads more than one tensor.</source>
        <translation>逐元素算子有不止一个输入。</translation>
    </message>
    <message>
        <source>What reads the Concat is not one plain element-wise operator.</source>
        <translation>Concat 的下游不是单个简单的逐元素算子。</translation>
    </message>
    <message>
        <source>Behind a fused kernel only readers of its Concat join.</source>
        <translation>融合算子之后只有其 Concat 的下游能继续融合。</translation>
    </message>
    <message>
        <source>A fused kernel does not join with a broadcast behind it.</source>
        <translation>融合算子不能与其后的广播融合。</translation>
    </message>
    <message>
        <source>The other operand is only a scalar.</source>
        <translation>另一个操作数只是标量。</translation>
    </message>
    <message>
        <source>Two Splits side by side do not join.</source>
        <translation>两个 Split 不能水平融合。</translation>
    </message>
    <message>
        <source>A Split and a reduction do not join.</source>
        <translation>Split 与归约不能融合。</translation>
    </message>
    <message>
        <source>A Split does not join with a kernel beside it.</source>
        <translation>Split 不能水平融合。</translation>
    </message>
    <message>
        <source>A Gather beside a reduction whose input changes dims (a view).</source>
        <translation>Gather 相邻的归约的输入带维度变换（视图）。</translation>
    </message>
    <message>
        <source>A Gather beside a Concat whose input changes dims (a view).</source>
        <translation>Gather 相邻的 Concat 的输入带维度变换（视图）。</translation>
    </message>
    <message>
        <source>A cube kernel cannot be the one that reads.</source>
        <translation>Cube kernel 不能作为消费者一侧。</translation>
    </message>
    <message>
        <source>A broadcast or another view lies on the way from the cube kernel.</source>
        <translation>Cube kernel 的连接路径上有广播等视图。</translation>
    </message>
    <message>
        <source>The cube kernel holds an operator type that is not supported.</source>
        <translation>Cube kernel 内含不支持的算子类型。</translation>
    </message>
    <message>
        <source>Behind the cube kernel come views alone.</source>
        <translation>Cube kernel 之后全是视图算子。</translation>
    </message>
    <message>
        <source>On this chip cube kernels do not join with vector kernels.</source>
        <translation>该芯片不支持 Cube kernel 与 Vector kernel 融合。</translation>
    </message>
    <message>
        <source>A slice whose dims are changed (a view) does not join.</source>
        <translation>带维度变换（视图）的切片不能融合。</translation>
    </message>
    <message>
        <source>A cube kernel joins with element-wise operators alone.</source>
        <translation>Cube kernel 只能与逐元素算子融合。</translation>
    </message>
    <message>
        <source>A cube kernel does not join with a kernel beside it.</source>
        <translation>Cube kernel 不能水平融合。</translation>
    </message>
    <message>
        <source>Too few results of the Split would join their readers.</source>
        <translation>Split 能与下游融合的输出比例过低。</translation>
    </message>
    <message>
        <source>A Split whose dims are changed (Reshape, Squeeze) does not join.</source>
        <translation>带 Reshape、Squeeze 的 Split 不能融合。</translation>
    </message>
</context>
<context>
    <name>gelens::ExplanationCard</name>
    <message>
        <source>The rule's pattern above the nodes that stand there</source>
        <translation>规则的模式（上）与实际节点（下）</translation>
    </message>
    <message>
        <source>Rules that were tried on this place, the nearest first</source>
        <translation>在此处尝试过的规则，最接近的在前</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Fused by %1 (%2)</source>
        <translation>由 %1 融合（%2）</translation>
    </message>
    <message>
        <source>%1: %2 (%3)</source>
        <translation>%1：%2（%3）</translation>
    </message>
    <message>
        <source>Every check held; the new operator is '%1'.</source>
        <translation>所有检查均通过；新算子为“%1”。</translation>
    </message>
    <message>
        <source>fits with %1 (now %2)</source>
        <translation>%1 时可满足（现为 %2）</translation>
    </message>
    <message>
        <source>What to do: %1</source>
        <translation>处理建议：%1</translation>
    </message>
    <message>
        <source>Checks: all %1 held</source>
        <translation>检查：%1 项全部通过</translation>
    </message>
    <message>
        <source>Checks: %1 of %2 failed</source>
        <translation>检查：%2 项中有 %1 项未通过</translation>
    </message>
    <message>
        <source>held</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>%1; evidence %2</source>
        <translation>%1；依据 %2</translation>
    </message>
    <message>
        <source>needs %1, has %2</source>
        <translation>需要 %1，可用 %2</translation>
    </message>
    <message>
        <source>Copy explanation</source>
        <translation>复制说明</translation>
    </message>
    <message>
        <source>Choose a row to read why the operators were fused, or why not.</source>
        <translation>选择一行，查看算子为何融合或为何没有融合。</translation>
    </message>
    <message>
        <source>Try it: %1</source>
        <translation>试一试：%1</translation>
    </message>
    <message>
        <source>Compile with this change beside the run and compare</source>
        <translation>仅作此改动另行编译并比较</translation>
    </message>
    <message>
        <source>Also tried here: %1 — %2.</source>
        <translation>此处还尝试过：%1 — %2。</translation>
    </message>
    <message>
        <source>It needs %1 and has %2.</source>
        <translation>需要 %1，可用 %2。</translation>
    </message>
    <message>
        <source>Fits when: %1.</source>
        <translation>满足条件：%1。</translation>
    </message>
    <message>
        <source>Copy all that the card says as text</source>
        <translation>将卡片上的全部说明复制为文本</translation>
    </message>
</context>
<context>
    <name>gelens::FieldsModel</name>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Before: step %1</source>
        <translation>之前：第 %1 步</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After: step %1</source>
        <translation>之后：第 %1 步</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>… nodes unchanged: %1</source>
        <translation>… 未变节点：%1</translation>
    </message>
    <message>
        <source>… fields unchanged: %1</source>
        <translation>… 未变字段：%1</translation>
    </message>
</context>
<context>
    <name>gelens::FiguresModel</name>
    <message>
        <source>Type and shape</source>
        <translation>类型与 shape</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素个数</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均值</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN 个数</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>无穷大个数</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零的个数</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>types or shapes differ</source>
        <translation>类型或 shape 不同</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>最大差值</translation>
    </message>
    <message>
        <source>Largest relative difference</source>
        <translation>最大相对差</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>Difference of the whole</source>
        <translation>整体差异</translation>
    </message>
    <message>
        <source>%1 (at most %2)</source>
        <translation>%1（上限 %2）</translation>
    </message>
    <message>
        <source>Elements beyond the tolerance</source>
        <translation>超出容差的元素</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>gelens::FusionsModel</name>
    <message>
        <source>Fusion rule</source>
        <translation>融合规则</translation>
    </message>
    <message>
        <source>Matched</source>
        <translation>匹配次数</translation>
    </message>
    <message>
        <source>Effective</source>
        <translation>生效次数</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>%1
GE's pass: %2</source>
        <translation>%1
GE 的 Pass：%2</translation>
    </message>
    <message>
        <source>step %1, from:
%2</source>
        <translation>第 %1 步，来自：
%2</translation>
    </message>
</context>
<context>
    <name>gelens::GraphCanvas</name>
    <message numerus="yes">
        <source>%n operator(s)</source>
        <translation>
            <numerusform>%n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 times in a row</source>
        <translation>连续 %1 次</translation>
    </message>
    <message>
        <source>in %1 variants</source>
        <translation>共 %1 种变体</translation>
    </message>
    <message>
        <source>Double click folds it.</source>
        <translation>双击折叠。</translation>
    </message>
    <message>
        <source>Double click opens it.</source>
        <translation>双击展开。</translation>
    </message>
    <message>
        <source>unit: %1</source>
        <translation>单元：%1</translation>
    </message>
    <message numerus="yes">
        <source>… %n more input(s)</source>
        <translation>
            <numerusform>… 另有 %n 个输入</numerusform>
        </translation>
    </message>
    <message>
        <source>removed by this step</source>
        <translation>被本步删除</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Operators and the tensors between them. Arrow keys walk along edges, Enter opens a block, Backspace goes up, Space shows all, F shows the selection.</source>
        <translation>算子及其间的 Tensor。方向键沿边移动，Enter 展开块，Backspace 返回上层，空格显示全图，F 显示所选。</translation>
    </message>
    <message>
        <source>Graph, %1</source>
        <translation>计算图，%1</translation>
    </message>
    <message numerus="yes">
        <source>… %n more change(s)</source>
        <translation>
            <numerusform>… 另有 %n 处变更</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gelens::GraphView</name>
    <message>
        <source>There is no graph to export yet.</source>
        <translation>还没有可导出的图。</translation>
    </message>
    <message>
        <source>The picture does not fit into memory.</source>
        <translation>图片过大，内存放不下。</translation>
    </message>
    <message>
        <source>The file cannot be written.</source>
        <translation>无法写入文件。</translation>
    </message>
    <message>
        <source>The ending “%1” is none of .svg, .png, .pdf and .dot.</source>
        <translation>扩展名“%1”不是 .svg、.png、.pdf、.dot 之一。</translation>
    </message>
    <message>
        <source>Export the graph</source>
        <translation>导出计算图</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;DOT (*.dot)</source>
        <translation>SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;DOT (*.dot)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1 was not written. %2</source>
        <translation>未能写入 %1。%2</translation>
    </message>
    <message>
        <source>Graph view</source>
        <translation>计算图视图</translation>
    </message>
    <message>
        <source>No model is open.

Open one with File › Open, drop a file here, or pick a sample on the Welcome page.</source>
        <translation>尚未打开模型。

用“文件 › 打开”打开，或把文件拖到此处，或在欢迎页选择示例。</translation>
    </message>
    <message>
        <source>The model is being compiled.

The graph appears as soon as the first steps are there.</source>
        <translation>模型正在编译。

有了最初几步后，图即显示。</translation>
    </message>
    <message>
        <source>The model could not be compiled.</source>
        <translation>模型未能编译。</translation>
    </message>
    <message>
        <source>

See Problems for details; File › Open opens another model.</source>
        <translation>

详情见“问题”；可用“文件 › 打开”打开其他模型。</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes each</source>
        <translation>各 %1 个节点</translation>
    </message>
    <message>
        <source>%1 variants</source>
        <translation>%1 种变体</translation>
    </message>
    <message>
        <source>graph of %1</source>
        <translation>%1 的图</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>before · %1</source>
        <translation>之前 · %1</translation>
    </message>
    <message>
        <source>after · %1</source>
        <translation>之后 · %1</translation>
    </message>
    <message>
        <source>changes of %1</source>
        <translation>%1 的变更</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>无变更</translation>
    </message>
    <message>
        <source>This step added %1, removed %2 and changed %3 nodes.</source>
        <translation>本步新增 %1 个、删除 %2 个、修改 %3 个节点。</translation>
    </message>
    <message>
        <source>The layout was cancelled. Tidy starts it again.</source>
        <translation>布局已取消。点“重新布局”再次开始。</translation>
    </message>
    <message>
        <source>Layout cancelled</source>
        <translation>布局已取消</translation>
    </message>
    <message>
        <source>This step changed nothing.</source>
        <translation>本步没有变更。</translation>
    </message>
    <message>
        <source>change %1 of %2</source>
        <translation>变更 %1 / %2</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>未找到</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>找到 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Fold this block</source>
        <translation>折叠此块</translation>
    </message>
    <message>
        <source>Open this block</source>
        <translation>展开此块</translation>
    </message>
    <message>
        <source>Copy the block's name</source>
        <translation>复制块名</translation>
    </message>
    <message>
        <source>Show only its neighbourhood</source>
        <translation>只显示其邻域</translation>
    </message>
    <message>
        <source>Show only what it depends on</source>
        <translation>只显示它所依赖的</translation>
    </message>
    <message>
        <source>Show only what depends on it</source>
        <translation>只显示依赖它的</translation>
    </message>
    <message>
        <source>Show only paths between the two</source>
        <translation>只显示两者之间的路径</translation>
    </message>
    <message>
        <source>Shorten its edges again</source>
        <translation>重新缩短其边</translation>
    </message>
    <message>
        <source>Draw all its edges</source>
        <translation>画出其全部边</translation>
    </message>
    <message>
        <source>Fold the block around it</source>
        <translation>折叠其外层块</translation>
    </message>
    <message>
        <source>Why not fused with …</source>
        <translation>为何未与…融合</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Laying out the graph …</source>
        <translation>正在布局计算图…</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Show the whole graph (Space in the graph)</source>
        <translation>显示整张图（图中按空格）</translation>
    </message>
    <message>
        <source>Fit selection</source>
        <translation>适应所选</translation>
    </message>
    <message>
        <source>Show the selection with its surroundings (F in the graph)</source>
        <translation>显示所选及其周围（图中按 F）</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>下一处变更</translation>
    </message>
    <message>
        <source>Select the next node that this step changed</source>
        <translation>选中本步变更的下一个节点</translation>
    </message>
    <message>
        <source>Previous change</source>
        <translation>上一处变更</translation>
    </message>
    <message>
        <source>Select the previous node that this step changed</source>
        <translation>选中本步变更的上一个节点</translation>
    </message>
    <message>
        <source>Tidy</source>
        <translation>重新布局</translation>
    </message>
    <message>
        <source>Lay the graph out anew; until then nodes keep their places from step to step</source>
        <translation>重新布局整张图；在此之前节点在各步之间保持原位</translation>
    </message>
    <message>
        <source>Open all blocks</source>
        <translation>展开所有块</translation>
    </message>
    <message>
        <source>Open every block</source>
        <translation>展开每一个块</translation>
    </message>
    <message>
        <source>Fold all blocks</source>
        <translation>折叠所有块</translation>
    </message>
    <message>
        <source>Fold every block</source>
        <translation>折叠每一个块</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find nodes</source>
        <translation>查找节点</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Write the graph as SVG, PNG, PDF or DOT</source>
        <translation>把图写成 SVG、PNG、PDF 或 DOT</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>重复块</translation>
    </message>
    <message>
        <source>Fold repeated blocks into one</source>
        <translation>把重复的块折叠为一个</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>Group nodes by the scopes in their names</source>
        <translation>按名称中的作用域分组</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>边上的 Shape</translation>
    </message>
    <message>
        <source>Write shapes, and formats other than ND, on edges</source>
        <translation>在边上标出 shape，以及非 ND 的格式</translation>
    </message>
    <message>
        <source>Constants</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Show constants as nodes of their own</source>
        <translation>把常量显示为单独的节点</translation>
    </message>
    <message>
        <source>Only changes</source>
        <translation>仅变更</translation>
    </message>
    <message>
        <source>Show only what this step changed, with its neighbourhood</source>
        <translation>只显示本步的变更及其邻域</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>End the restriction to a part of the graph</source>
        <translation>不再限于图的一部分</translation>
    </message>
    <message>
        <source>Before | after</source>
        <translation>前 | 后</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>After only</source>
        <translation>仅之后</translation>
    </message>
    <message>
        <source>How the two steps are shown</source>
        <translation>两步的显示方式</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>执行单元</translation>
    </message>
    <message>
        <source>Operator class</source>
        <translation>算子类别</translation>
    </message>
    <message>
        <source>Data type</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Made by pass</source>
        <translation>产生它的 Pass</translation>
    </message>
    <message>
        <source>What the colour of a node's stripe stands for</source>
        <translation>节点色条的含义</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>Colour:</source>
        <translation>着色：</translation>
    </message>
    <message>
        <source>Fold:</source>
        <translation>折叠：</translation>
    </message>
    <message>
        <source>Show:</source>
        <translation>显示：</translation>
    </message>
    <message>
        <source>How many edges around the changes are shown</source>
        <translation>显示变更周围几条边</translation>
    </message>
    <message>
        <source>Neighbourhood</source>
        <translation>邻域</translation>
    </message>
    <message>
        <source>Find: text, type:MatMul*, shape:1,332, attr:axis</source>
        <translation>查找：文本、type:MatMul*、shape:1,332、attr:axis</translation>
    </message>
    <message>
        <source>Substring, glob (* ?) or /regular expression/; fields name: type: dtype: shape: format: attr: unit: stream: pass:. Enter and Shift+Enter go through the results, in the graph n and p.</source>
        <translation>子串、通配符 (* ?) 或 /正则表达式/；字段 name: type: dtype: shape: format: attr: unit: stream: pass:。Enter 与 Shift+Enter 逐个查看结果，图中用 n 和 p。</translation>
    </message>
    <message>
        <source>Laying out …</source>
        <translation>正在布局…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop the layout</source>
        <translation>停止布局</translation>
    </message>
    <message>
        <source>Nothing is selected or in view.</source>
        <translation>没有选中或可见的内容。</translation>
    </message>
    <message>
        <source>The whole graph, laid out anew</source>
        <translation>整图（重新布局）</translation>
    </message>
    <message>
        <source>The drawing as it is shown</source>
        <translation>当前显示的图</translation>
    </message>
    <message>
        <source>What is in view</source>
        <translation>可见部分</translation>
    </message>
    <message>
        <source>The selection</source>
        <translation>所选内容</translation>
    </message>
    <message>
        <source>Part:</source>
        <translation>范围：</translation>
    </message>
    <message>
        <source>Writing %1 …</source>
        <translation>正在写入 %1 …</translation>
    </message>
    <message>
        <source>Open in a tab</source>
        <translation>在标签页中打开</translation>
    </message>
    <message>
        <source>How its instances differ</source>
        <translation>各实例的差异</translation>
    </message>
    <message>
        <source>Open the block around it in a tab</source>
        <translation>在标签页中打开所在的块</translation>
    </message>
    <message>
        <source>Open its graph “%1” in a tab</source>
        <translation>在标签页中打开其子图“%1”</translation>
    </message>
    <message>
        <source>Whole graph</source>
        <translation>整图</translation>
    </message>
    <message>
        <source>Blocks in tabs</source>
        <translation>标签页中的块</translation>
    </message>
    <message>
        <source>Undo view</source>
        <translation>撤销视图操作</translation>
    </message>
    <message>
        <source>Take back the last folding, filter or colouring</source>
        <translation>撤销上一次折叠、筛选或着色</translation>
    </message>
    <message>
        <source>Redo view</source>
        <translation>重做视图操作</translation>
    </message>
    <message>
        <source>Do again what was taken back</source>
        <translation>重做被撤销的操作</translation>
    </message>
    <message>
        <source>Blocks that differ</source>
        <translation>有差异的重复块</translation>
    </message>
    <message>
        <source>List how the instances of repeated blocks differ: fused here, not there</source>
        <translation>列出重复块各实例的差异：此处已融合，彼处未融合</translation>
    </message>
    <message>
        <source>Write shapes on edges</source>
        <translation>在边上标注 shape</translation>
    </message>
    <message>
        <source>Data types</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Write data types on edges</source>
        <translation>在边上标注数据类型</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Write formats on edges where they are not plain (ND)</source>
        <translation>在边上标注非 ND 的格式</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果列表</translation>
    </message>
    <message>
        <source>List what the search found (Enter in the search line)</source>
        <translation>列出查找结果（在查找框中按 Enter）</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流 (Stream)</translation>
    </message>
    <message>
        <source>Latency, estimated</source>
        <translation>时延（仿真估算）</translation>
    </message>
    <message>
        <source>Memory of results</source>
        <translation>输出占用内存</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>What is folded into blocks</source>
        <translation>哪些内容折叠为块</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>What is written on edges, and whether constants are nodes</source>
        <translation>边上标注的内容，以及常量是否显示为节点</translation>
    </message>
    <message>
        <source>Substring, glob (* ?) or /regular expression/; fields name: type: dtype: shape: format: attr: unit: engine: stream: pass: verdict:. Enter lists the results and goes to the next, Shift+Enter to the previous; in the graph n and p.</source>
        <translation>子串、通配符（* ?）或 /正则表达式/；字段 name: type: dtype: shape: format: attr: unit: engine: stream: pass: verdict:。Enter 列出结果并转到下一个，Shift+Enter 转到上一个；在图中用 n 和 p。</translation>
    </message>
    <message>
        <source>Searches to keep</source>
        <translation>保存的查找</translation>
    </message>
    <message>
        <source>Forget this search</source>
        <translation>不再保存此查找</translation>
    </message>
    <message>
        <source>Keep this search</source>
        <translation>保存此查找</translation>
    </message>
    <message>
        <source>as most (%1 of %2)</source>
        <translation>与多数相同（%2 个中的 %1 个）</translation>
    </message>
    <message>
        <source>same operators, other shapes or edges</source>
        <translation>算子相同，shape 或连接不同</translation>
    </message>
    <message>
        <source>All instances of the repeated blocks are alike at this step.</source>
        <translation>在这一步，重复块的所有实例都相同。</translation>
    </message>
    <message>
        <source>Repeated blocks that differ</source>
        <translation>有差异的重复块</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>attribute</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>data type</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>, </source>
        <extracomment>between what changed in a node: &quot;data type, format&quot;</extracomment>
        <translation>、</translation>
    </message>
    <message>
        <source>rewired</source>
        <translation>改接</translation>
    </message>
    <message>
        <source>placed anew</source>
        <translation>重新放置</translation>
    </message>
    <message>
        <source>Hide what is farther from the selection than so many edges</source>
        <translation>隐藏距所选节点超过指定边数的节点</translation>
    </message>
    <message>
        <source>Hide all but what the selection depends on</source>
        <translation>只保留所选节点所依赖的节点</translation>
    </message>
    <message>
        <source>Hide all but what depends on the selection</source>
        <translation>只保留依赖所选节点的节点</translation>
    </message>
    <message>
        <source>Hide all but what lies between the two selected nodes</source>
        <translation>只保留所选两个节点之间的节点</translation>
    </message>
    <message>
        <source>Select two nodes first: the second with Ctrl held.</source>
        <translation>请先选择两个节点：按住 Ctrl 选择第二个。</translation>
    </message>
    <message>
        <source>Select a node first.</source>
        <translation>请先选择一个节点。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Open or fold the block</source>
        <translation>展开或折叠块</translation>
    </message>
    <message>
        <source>Open or fold the selected block, or draw all edges of a node (Enter in the graph)</source>
        <translation>展开或折叠所选的块，或画出节点的全部边（图中按回车）</translation>
    </message>
    <message>
        <source>Go up</source>
        <translation>返回上一层</translation>
    </message>
    <message>
        <source>Fold the block around the selection (Backspace in the graph)</source>
        <translation>折叠所选内容所在的块（图中按退格键）</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Show less, and larger (+ in the graph)</source>
        <translation>放大显示局部（图中按 +）</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Show more, and smaller (− in the graph)</source>
        <translation>缩小显示更多（图中按 −）</translation>
    </message>
    <message>
        <source>Next result</source>
        <translation>下一个结果</translation>
    </message>
    <message>
        <source>To the next node found (n in the graph)</source>
        <translation>转到下一个找到的节点（图中按 n）</translation>
    </message>
    <message>
        <source>Previous result</source>
        <translation>上一个结果</translation>
    </message>
    <message>
        <source>To the node found before (p in the graph)</source>
        <translation>转到上一个找到的节点（图中按 p）</translation>
    </message>
    <message>
        <source>Show the selected block, or the one around the selected node, in a tab of its own</source>
        <translation>在单独的标签页中显示所选的块，或所选节点所在的块</translation>
    </message>
    <message>
        <source>Close the tab</source>
        <translation>关闭标签页</translation>
    </message>
    <message>
        <source>Back to the whole graph</source>
        <translation>返回整图</translation>
    </message>
    <message>
        <source>Show why the selected node was not fused with its neighbours</source>
        <translation>说明所选节点为何未与相邻节点融合</translation>
    </message>
    <message>
        <source>Copy the names of the selected nodes</source>
        <translation>复制所选节点的名称</translation>
    </message>
    <message>
        <source>Select a block, or a node in one, first.</source>
        <translation>请先选择一个块，或块中的节点。</translation>
    </message>
    <message>
        <source>%1 boxes are to be drawn; the graph view shows up to %2.</source>
        <translation>需要绘制 %1 个框；图视图最多显示 %2 个。</translation>
    </message>
    <message>
        <source>Folded, the graph shows repeated blocks and scopes as one card each; they are opened one by one.</source>
        <translation>折叠后，重复结构和作用域各显示为一张卡片，可逐个展开。</translation>
    </message>
    <message>
        <source>Fold repeated blocks</source>
        <translation>折叠重复结构</translation>
    </message>
    <message>
        <source>Its names show no blocks that could be folded. Show only what this step changed, or go to a later step.</source>
        <translation>节点名称中没有可折叠的结构。可只显示该步骤的改动，或前进到后面的步骤。</translation>
    </message>
    <message>
        <source>Choose a smaller part: fewer edges around it, or another step. The dump diff lists every change.</source>
        <translation>请选择更小的范围：减少周围的边数，或选择其他步骤。dump 对比视图会列出全部改动。</translation>
    </message>
    <message>
        <source>The picture would have %1 boxes; up to %2 can be drawn. Fold its blocks, choose what is in view or selected, or export the step as text.</source>
        <translation>图片将包含 %1 个框，最多可绘制 %2 个。请折叠重复结构，或只导出可见或选中的部分，或将该步骤导出为文本。</translation>
    </message>
    <message>
        <source>Select with the next</source>
        <translation>与下一个一起选择</translation>
    </message>
    <message>
        <source>Keep the selected node: those that are chosen next join it, until this is switched off</source>
        <translation>保留所选节点：之后选择的节点与其一起选中，直到关闭此项</translation>
    </message>
</context>
<context>
    <name>gelens::HelpTools</name>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Shortcuts…</source>
        <translation>快捷键…</translation>
    </message>
    <message>
        <source>See and change the shortcut of every command</source>
        <translation>查看和修改每个命令的快捷键</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>See the panels in two minutes</source>
        <translation>两分钟了解各个面板</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>编译流程</translation>
    </message>
    <message>
        <source>Every pass of the compile, in the order in which GE runs them, with what it changed. A double click goes to a pass; a click into the left margin sets a breakpoint.</source>
        <translation>按 GE 的执行顺序列出编译的每个 Pass 及其改动。双击跳到某个 Pass；单击左侧边栏设置断点。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>The whole run at a glance: one bar for each step, high where much was edited. Click, drag, or use F9 and F10.</source>
        <translation>整个运行一目了然：每步一条，改动越多越高。可单击、拖动，或使用 F9 和 F10。</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>The graph before and after the step. + is new, − is gone, ~ has changed. Repeated layers are folded; Enter opens a block.</source>
        <translation>该步前后的图。+ 为新增，− 为删除，~ 为修改。重复的层会折叠；按回车展开。</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Everything about what is selected: tensors, attributes, each edit of its history, where it came from and what it became. All of it leads on by a click.</source>
        <translation>选中内容的全部信息：Tensor、属性、变更历史、来源和去向。单击即可跳转。</translation>
    </message>
    <message>
        <source>Unfused chains</source>
        <translation>未融合的算子链</translation>
    </message>
    <message>
        <source>Why was this not fused? The rule&apos;s pattern beside the real nodes, what it needs and what there is, and buttons that try a remedy.</source>
        <translation>为什么没有融合？规则模式与实际节点对照，需要多少、可用多少，并有按钮可尝试补救办法。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Who lives where in device memory, and when; what the peak is made of, and how far it is from the lower bound.</source>
        <translation>显存中各 Tensor 的位置与生命周期；峰值的构成及其与理论下界的距离。</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>When each task runs on the simulated device. Times are estimates of a published cost model.</source>
        <translation>各 Task 在仿真设备上的执行时间。时间为公开代价模型的仿真估算。</translation>
    </message>
    <message>
        <source>What-if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>Another chip, larger buffers, other rules or shapes: compile again beside the run and read the differences.</source>
        <translation>换芯片、加大缓冲区、改规则或 shape：另行编译并查看差异。</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>所有命令</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P finds every command by its name. Have a good time with your model.</source>
        <translation>按 Ctrl+Shift+P 可按名称查找任何命令。祝使用愉快。</translation>
    </message>
    <message>
        <source>Language, what new models and the graph begin with, and shortcuts</source>
        <translation>语言、新模型与图的默认设置以及快捷键</translation>
    </message>
</context>
<context>
    <name>gelens::HistogramBars</name>
    <message>
        <source>No finite numbers</source>
        <translation>没有有限的数值</translation>
    </message>
    <message>
        <source>■ step %1</source>
        <translation>■ 第 %1 步</translation>
    </message>
    <message>
        <source>□ step %1</source>
        <translation>□ 第 %1 步</translation>
    </message>
    <message>
        <source>at most %1 in a bar</source>
        <translation>每条最多 %1 个</translation>
    </message>
    <message>
        <source>%1 in step %2</source>
        <translation>第 %2 步 %1 个</translation>
    </message>
    <message>
        <source>%1 … %2: %3</source>
        <translation>%1 … %2：%3</translation>
    </message>
</context>
<context>
    <name>gelens::HistogramModel</name>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>%1: %2 before, %3 after</source>
        <translation>%1：之前 %2 个，之后 %3 个</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>对比</translation>
    </message>
</context>
<context>
    <name>gelens::Inspector</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>SoC</source>
        <translation>SoC</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>停止原因</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>latency, estimated</source>
        <translation>时延（仿真估算）</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>Choose a node in the graph to see it here.</source>
        <translation>在图中选择节点，即可在此查看。</translation>
    </message>
    <message>
        <source>General</source>
        <translation>概况</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>执行单元</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>not placed yet</source>
        <translation>尚未分配</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>not assigned yet</source>
        <translation>尚未分配</translation>
    </message>
    <message>
        <source>note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>an operator that is not known here; it is carried along as it is</source>
        <translation>未知的算子，按原样保留</translation>
    </message>
    <message>
        <source>sub-graph</source>
        <translation>子图</translation>
    </message>
    <message>
        <source>there since step</source>
        <translation>出现于步骤</translation>
    </message>
    <message>
        <source>removed in step</source>
        <translation>删除于步骤</translation>
    </message>
    <message>
        <source>origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>in %1 %2</source>
        <translation>输入 %1 %2</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>out %1 %2</source>
        <translation>输出 %1 %2</translation>
    </message>
    <message>
        <source>to</source>
        <translation>去往</translation>
    </message>
    <message>
        <source>and %1 more readers</source>
        <translation>另有 %1 个消费者</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>runs after</source>
        <translation>在其后运行</translation>
    </message>
    <message>
        <source>runs before</source>
        <translation>在其前运行</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>History</source>
        <translation>变更历史</translation>
    </message>
    <message>
        <source>no pass has touched it</source>
        <translation>没有 Pass 改动过它</translation>
    </message>
    <message>
        <source>%1 edits</source>
        <translation>%1 处改动</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Came from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>made by a pass</source>
        <translation>由 Pass 生成</translation>
    </message>
    <message>
        <source>Became</source>
        <translation>去向</translation>
    </message>
    <message>
        <source>nothing of it is left</source>
        <translation>已无残留</translation>
    </message>
    <message>
        <source>Verdicts</source>
        <translation>融合判定</translation>
    </message>
    <message>
        <source>no fusion rule was tried on it</source>
        <translation>没有融合规则尝试过它</translation>
    </message>
    <message>
        <source>fused into %1</source>
        <translation>融合为 %1</translation>
    </message>
    <message>
        <source>needs %1%3, has %2%3</source>
        <translation>需要 %1%3，可用 %2%3</translation>
    </message>
    <message>
        <source>what to do</source>
        <translation>处理建议</translation>
    </message>
    <message>
        <source>Memory and task</source>
        <translation>内存与 Task</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>not planned</source>
        <translation>未规划</translation>
    </message>
    <message>
        <source>%1 in a block of %2</source>
        <translation>%1，内存块 %2</translation>
    </message>
    <message>
        <source>lifetime</source>
        <translation>生命周期</translation>
    </message>
    <message>
        <source>positions %1 to %2</source>
        <translation>位置 %1 至 %2</translation>
    </message>
    <message>
        <source>it was gone before memory was planned</source>
        <translation>在内存规划之前已被删除</translation>
    </message>
    <message>
        <source>it needs neither memory of its own nor a task</source>
        <translation>既不需要独立内存，也没有 Task</translation>
    </message>
    <message>
        <source>task %1</source>
        <translation>Task %1</translation>
    </message>
    <message>
        <source>super kernel</source>
        <translation>SuperKernel</translation>
    </message>
    <message>
        <source>%1; kernels in this launch: %2</source>
        <translation>%1；本次下发的 kernel 数：%2</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>核数</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>kernel</translation>
    </message>
    <message>
        <source>time, estimated</source>
        <translation>时间（仿真估算）</translation>
    </message>
    <message>
        <source>%1 from %2, bound by %3</source>
        <translation>%1，自 %2 起，受限于%3</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>on it</source>
        <translation>在其上</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>out %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>Selected nodes</source>
        <translation>所选节点</translation>
    </message>
    <message>
        <source>The same in all</source>
        <translation>全部相同</translation>
    </message>
    <message>
        <source>Different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>has none</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>written by</source>
        <translation>写出者</translation>
    </message>
    <message>
        <source>a phase that is not documented</source>
        <translation>文档中没有的阶段</translation>
    </message>
    <message>
        <source>shows</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>graph nodes</source>
        <translation>图节点</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>by its name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>执行</translation>
    </message>
    <message>
        <source>and %1 more edits</source>
        <translation>另有 %1 处修改</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>gelens::InspectorView</name>
    <message>
        <source>nothing selected</source>
        <translation>未选择</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>what they share and where they differ</source>
        <translation>相同与不同之处</translation>
    </message>
    <message>
        <source>unit %1 %2 · in %3 · out %4</source>
        <translation>单元 %1 %2 · 输入 %3 · 输出 %4</translation>
    </message>
    <message>
        <source>Not in the graph of step %1: %2 removed it in step %3. Shown as of step %4.</source>
        <translation>第 %1 步的图中没有它：%2 在第 %3 步删除了它。以下为第 %4 步时的内容。</translation>
    </message>
    <message>
        <source>Not yet in the graph of step %1: %2 makes it in step %3. Shown as of step %4.</source>
        <translation>第 %1 步的图中还没有它：%2 在第 %3 步生成它。以下为第 %4 步时的内容。</translation>
    </message>
</context>
<context>
    <name>gelens::KeptRunsModel</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Other than the base run</source>
        <translation>与基准运行的不同</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子数</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>Latency (est.)</source>
        <translation>时延（仿真估算）</translation>
    </message>
    <message>
        <source>base run</source>
        <translation>基准运行</translation>
    </message>
    <message>
        <source>of all cards together</source>
        <translation>所有卡合计</translation>
    </message>
    <message>
        <source>of the card that needs most</source>
        <translation>需求最大的卡</translation>
    </message>
    <message>
        <source>of the slowest card</source>
        <translation>最慢的卡</translation>
    </message>
</context>
<context>
    <name>gelens::LegendBar</name>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>no unit</source>
        <translation>无执行单元</translation>
    </message>
    <message>
        <source>cube</source>
        <translation>cube</translation>
    </message>
    <message>
        <source>vector</source>
        <translation>vector</translation>
    </message>
    <message>
        <source>mix</source>
        <translation>mix</translation>
    </message>
    <message>
        <source>AI CPU</source>
        <translation>AI CPU</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>runtime</source>
        <translation>runtime</translation>
    </message>
    <message>
        <source>GE local</source>
        <translation>GE 本地</translation>
    </message>
</context>
<context>
    <name>gelens::ListExport</name>
    <message>
        <source>the list changed again and again while it was read</source>
        <translation>读取期间列表不断变化</translation>
    </message>
    <message>
        <source>Stop writing the file (Esc)</source>
        <translation>停止写入文件（Esc）</translation>
    </message>
    <message>
        <source>%1: %2 of %3 rows</source>
        <translation>%1：第 %2 行，共 %3 行</translation>
    </message>
</context>
<context>
    <name>gelens::LogDecoderView</name>
    <message>
        <source>Open a log</source>
        <translation>打开日志</translation>
    </message>
    <message>
        <source>%1 has %2; logs are read up to %3. Take its end, where errors stand (tail -c 200M), or the log of one process.</source>
        <translation>%1 有 %2；日志最多读取 %3。请截取包含错误的末尾部分（tail -c 200M），或选择单个进程的日志。</translation>
    </message>
    <message>
        <source>decoding …</source>
        <translation>解读中 …</translation>
    </message>
    <message>
        <source>%1 errors · %2 warnings · %3 lines name something of the model</source>
        <translation>%1 个错误 · %2 个告警 · %3 行涉及当前模型</translation>
    </message>
    <message>
        <source>the rest is left out</source>
        <translation>其余部分已省略</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open a log file of ATC or GE</source>
        <translation>打开 ATC 或 GE 的日志文件</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Decode the text of the clipboard</source>
        <translation>解读剪贴板中的文本</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解读</translation>
    </message>
    <message>
        <source>Explain the text below</source>
        <translation>解读下面的文本</translation>
    </message>
    <message>
        <source>Edit text</source>
        <translation>编辑文本</translation>
    </message>
    <message>
        <source>Back to the text</source>
        <translation>返回文本</translation>
    </message>
    <message>
        <source>Paste the output of ATC or a GE log here, English or Chinese, and press Decode: error codes are explained, and what it names in the open model becomes a link.</source>
        <translation>在此粘贴 ATC 的输出或 GE 日志（中英文均可），然后点击“解读”：错误码会得到解释，日志中提到的当前模型内容会变成链接。</translation>
    </message>
</context>
<context>
    <name>gelens::LogLinesModel</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行号</translation>
    </message>
    <message>
        <source>debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>pass %1 · step %2</source>
        <translation>Pass %1 · 第 %2 步</translation>
    </message>
    <message>
        <source>rule %1 · step %2</source>
        <translation>规则 %1 · 第 %2 步</translation>
    </message>
    <message>
        <source>here: fused by %1 into %2</source>
        <translation>本工具：已由 %1 融合为 %2</translation>
    </message>
    <message>
        <source>here: %1 — %2. %3</source>
        <translation>本工具：%1 — %2。%3</translation>
    </message>
    <message>
        <source>phase %1 · step %2</source>
        <translation>阶段 %1 · 第 %2 步</translation>
    </message>
</context>
<context>
    <name>gelens::LogModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>parsing</source>
        <translation>图解析</translation>
    </message>
    <message>
        <source>compilation</source>
        <translation>图编译</translation>
    </message>
    <message>
        <source>opening</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>what-if</source>
        <translation>假设分析</translation>
    </message>
</context>
<context>
    <name>gelens::LogView</name>
    <message>
        <source>Clear the log</source>
        <translation>清空日志</translation>
    </message>
    <message>
        <source>Nothing has been logged yet.</source>
        <translation>还没有日志。</translation>
    </message>
    <message>
        <source>Opening and compiling a model writes here.</source>
        <translation>打开和编译模型时会写到这里。</translation>
    </message>
</context>
<context>
    <name>gelens::MainWindow</name>
    <message>
        <source>%1 · %2 of %3</source>
        <translation>%1 · %2 / %3</translation>
    </message>
    <message>
        <source>Cancelled; the steps that were done are shown.</source>
        <translation>已取消；显示已完成的步骤。</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>opening …</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>laying out the graph …</source>
        <translation>正在布局计算图…</translation>
    </message>
    <message>
        <source>Open a model to begin.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>Opening %1 …</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <source>%1 → %2 operators</source>
        <translation>算子 %1 → %2</translation>
    </message>
    <message>
        <source>%1 operators</source>
        <translation>算子 %1</translation>
    </message>
    <message>
        <source>%1 · %2 · peak %3 (bound %4) · estimated %5</source>
        <translation>%1 · %2 · 峰值 %3（下界 %4）· 仿真估算 %5</translation>
    </message>
    <message>
        <source>%1 — GE Lens</source>
        <translation>%1 — GE Lens</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>编译流程</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Unfused chains</source>
        <translation>未融合的算子链</translation>
    </message>
    <message>
        <source>Dump diff</source>
        <translation>dump 图对比</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Step strip</source>
        <translation>步骤条</translation>
    </message>
    <message>
        <source>Cancel what is running (Esc)</source>
        <translation>取消正在进行的工作 (Esc)</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open a model file</source>
        <translation>打开模型文件</translation>
    </message>
    <message>
        <source>Close model</source>
        <translation>关闭模型</translation>
    </message>
    <message>
        <source>Close the model shown</source>
        <translation>关闭当前模型</translation>
    </message>
    <message>
        <source>Export graph…</source>
        <translation>导出计算图…</translation>
    </message>
    <message>
        <source>Write the graph as SVG, PNG, PDF or DOT</source>
        <translation>把图写成 SVG、PNG、PDF 或 DOT</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Leave GE Lens</source>
        <translation>退出 GE Lens</translation>
    </message>
    <message>
        <source>⇤ First</source>
        <translation>⇤ 起点</translation>
    </message>
    <message>
        <source>Go to the graph as read</source>
        <translation>回到读入时的图</translation>
    </message>
    <message>
        <source>◀ Step</source>
        <translation>◀ 单步</translation>
    </message>
    <message>
        <source>One pass back</source>
        <translation>后退一个 Pass</translation>
    </message>
    <message>
        <source>Step ▶</source>
        <translation>单步 ▶</translation>
    </message>
    <message>
        <source>One pass forward</source>
        <translation>前进一个 Pass</translation>
    </message>
    <message>
        <source>Last ⇥</source>
        <translation>终点 ⇥</translation>
    </message>
    <message>
        <source>Go to the end of the run</source>
        <translation>到编译结束</translation>
    </message>
    <message>
        <source>◀◀ Change</source>
        <translation>◀◀ 变更</translation>
    </message>
    <message>
        <source>Back to the previous pass that changed something</source>
        <translation>回到上一个有变更的 Pass</translation>
    </message>
    <message>
        <source>Change ▶▶</source>
        <translation>变更 ▶▶</translation>
    </message>
    <message>
        <source>On to the next pass that changed something</source>
        <translation>到下一个有变更的 Pass</translation>
    </message>
    <message>
        <source>Start ↔ end</source>
        <translation>起点 ↔ 终点</translation>
    </message>
    <message>
        <source>Compare the model as read with the result</source>
        <translation>对比读入的模型与编译结果</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新编译</translation>
    </message>
    <message>
        <source>Compile the model again</source>
        <translation>再次编译该模型</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Compute before and after each step and compare the numbers</source>
        <translation>计算每一步前后的数值并比较</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop what is running and keep what it has reached</source>
        <translation>停止正在进行的工作，保留已得到的结果</translation>
    </message>
    <message>
        <source>Go to step…</source>
        <translation>转到步骤…</translation>
    </message>
    <message>
        <source>Choose a pass by its name or number</source>
        <translation>按名称或编号选择 Pass</translation>
    </message>
    <message>
        <source>Find node…</source>
        <translation>查找节点…</translation>
    </message>
    <message>
        <source>Search the graph by name, type or attribute</source>
        <translation>按名称、类型或属性在图中查找</translation>
    </message>
    <message>
        <source>All commands…</source>
        <translation>所有命令…</translation>
    </message>
    <message>
        <source>Find and run any command of the window</source>
        <translation>查找并执行窗口中的任意命令</translation>
    </message>
    <message>
        <source>Show the stages and passes of the run</source>
        <translation>显示编译的阶段与 Pass</translation>
    </message>
    <message>
        <source>Show the graph before and after the step</source>
        <translation>显示该步前后的图</translation>
    </message>
    <message>
        <source>Show everything about the selection</source>
        <translation>显示所选对象的全部信息</translation>
    </message>
    <message>
        <source>Show chains that were not fused, and why</source>
        <translation>显示未融合的算子链及原因</translation>
    </message>
    <message>
        <source>Show what differs between the two graphs, as text</source>
        <translation>以文本显示两张图的差异</translation>
    </message>
    <message>
        <source>Show who lives where in device memory, and when</source>
        <translation>显示显存中各 Tensor 的位置与时间</translation>
    </message>
    <message>
        <source>Show when each task runs</source>
        <translation>显示每个 Task 的运行时间</translation>
    </message>
    <message>
        <source>Show the figures before and after</source>
        <translation>显示前后的指标</translation>
    </message>
    <message>
        <source>Show all open models</source>
        <translation>显示所有打开的模型</translation>
    </message>
    <message>
        <source>Show what readers, checkers and verifiers found</source>
        <translation>显示读取、检查与验证发现的问题</translation>
    </message>
    <message>
        <source>Show what the engine logs</source>
        <translation>显示引擎日志</translation>
    </message>
    <message>
        <source>Welcome page</source>
        <translation>欢迎页</translation>
    </message>
    <message>
        <source>Samples and recent files</source>
        <translation>示例与最近的文件</translation>
    </message>
    <message>
        <source>Restore default layout</source>
        <translation>恢复默认布局</translation>
    </message>
    <message>
        <source>Put all panels back in their places</source>
        <translation>把所有面板放回原位</translation>
    </message>
    <message>
        <source>About GE Lens</source>
        <translation>关于 GE Lens</translation>
    </message>
    <message>
        <source>Version and licences</source>
        <translation>版本与许可</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Colours as the desktop has them</source>
        <translation>与桌面配色一致</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light colours</source>
        <translation>浅色配色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dark colours</source>
        <translation>深色配色</translation>
    </message>
    <message>
        <source>Language as the desktop has it</source>
        <translation>与桌面语言一致</translation>
    </message>
    <message>
        <source>English texts</source>
        <translation>英文界面</translation>
    </message>
    <message>
        <source>Chinese texts</source>
        <translation>中文界面</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>SoC</source>
        <translation>SoC</translation>
    </message>
    <message>
        <source>Chip to compile for</source>
        <translation>目标芯片</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>cancelling …</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>所有命令</translation>
    </message>
    <message>
        <source>type a command</source>
        <translation>输入命令</translation>
    </message>
    <message>
        <source>Go to step</source>
        <translation>转到步骤</translation>
    </message>
    <message>
        <source>type a number, a pass, a phase or a rule</source>
        <translation>输入编号、Pass、阶段或规则</translation>
    </message>
    <message>
        <source>GE Lens %1

See inside the graph compiler of Ascend NPUs: what each pass changed, why a chain was not fused, where the memory goes, and whether the numbers still hold.

Times come from a cost model and are estimates. Licensed under Apache-2.0; built with Qt %2.</source>
        <translation>GE Lens %1

看清昇腾 NPU 图编译器的内部：每个 Pass 改了什么，算子链为何没有融合，内存用在哪里，数值是否依然正确。

时间来自代价模型，均为仿真估算。许可证 Apache-2.0；使用 Qt %2 构建。</translation>
    </message>
    <message>
        <source>Models (*.onnx *.om *.air *.txt *.pbtxt *.json);;All files (*)</source>
        <translation>模型 (*.onnx *.om *.air *.txt *.pbtxt *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>Every pass of the compile, in GE&apos;s order, with what it changed.</source>
        <translation>编译中的每个 Pass，按 GE 的顺序排列，并列出各自改动的内容。</translation>
    </message>
    <message>
        <source>Open a model with Ctrl+O, or choose a sample in the middle.</source>
        <translation>按 Ctrl+O 打开模型，或在中间选择一个示例。</translation>
    </message>
    <message>
        <source>Everything about what you select: tensors, attributes, history, memory.</source>
        <translation>所选对象的全部信息：Tensor、属性、变更历史和内存。</translation>
    </message>
    <message>
        <source>Once a model is open, click a node in the graph.</source>
        <translation>打开模型后，在图中单击一个节点。</translation>
    </message>
    <message>
        <source>Chains of operators that were not fused, why, and what would help.</source>
        <translation>未融合的算子链、原因以及可行的办法。</translation>
    </message>
    <message>
        <source>The sample attention-too-long shows one: L1 is too small for it by some bytes.</source>
        <translation>示例 attention-too-long 就是一例：L1 差若干字节。</translation>
    </message>
    <message>
        <source>What a pass changed, node by node and attribute by attribute.</source>
        <translation>一个 Pass 逐节点、逐属性的改动。</translation>
    </message>
    <message>
        <source>Open a model with Ctrl+O; then step with F9 and F10.</source>
        <translation>按 Ctrl+O 打开模型，再用 F9 和 F10 单步。</translation>
    </message>
    <message>
        <source>Which tensor lives where in device memory, and when; what the peak is made of.</source>
        <translation>各 Tensor 在显存中的位置和生命周期，以及峰值由哪些 Tensor 构成。</translation>
    </message>
    <message>
        <source>Open a model with Ctrl+O, or an OM file that carries its plan.</source>
        <translation>按 Ctrl+O 打开模型，或打开带有内存规划的 OM 文件。</translation>
    </message>
    <message>
        <source>When each task runs on the streams and units of the simulated NPU.</source>
        <translation>各 Task 在仿真 NPU 的流和执行单元上的运行时间。</translation>
    </message>
    <message>
        <source>Open a model with Ctrl+O; times are estimates of a published cost model.</source>
        <translation>按 Ctrl+O 打开模型；时间由公开的代价模型仿真估算。</translation>
    </message>
    <message>
        <source>Operators, memory, tasks and latency before and after, and the reduction.</source>
        <translation>算子、内存、Task 和时延在优化前后的数值及降幅。</translation>
    </message>
    <message>
        <source>Open a model with Ctrl+O; a what-if run gets a column beside it.</source>
        <translation>按 Ctrl+O 打开模型；假设分析的运行会在旁边多出一列。</translation>
    </message>
    <message>
        <source>What readers, checkers and the proof by numbers found, with the place.</source>
        <translation>读取、检查和数值验证发现的问题及其位置。</translation>
    </message>
    <message>
        <source>Files that cannot be opened are named here too.</source>
        <translation>无法打开的文件也会列在这里。</translation>
    </message>
    <message>
        <source>The same model with another chip, other buffers, rules or shapes, beside its run.</source>
        <translation>同一模型换用其他芯片、缓存大小、规则或 shape，与当前运行对照。</translation>
    </message>
    <message>
        <source>Open a model with Ctrl+O; then change what you like and press Run.</source>
        <translation>按 Ctrl+O 打开模型，修改所需选项后单击“运行”。</translation>
    </message>
    <message>
        <source>Two dumps as text, side by side, aligned by node and not by line.</source>
        <translation>两份 dump 的文本并排比较，按节点而不是按行对齐。</translation>
    </message>
    <message>
        <source>Choose two files here, or open a model to compare its steps.</source>
        <translation>在此选择两个文件，或打开模型以比较其步骤。</translation>
    </message>
    <message>
        <source>The numbers of a tensor, computed before and after a step, and where they differ.</source>
        <translation>某个 Tensor 在一步前后计算出的数值，以及差异所在。</translation>
    </message>
    <message>
        <source>Open a model with weights, such as the sample tiny-llama, and select a node.</source>
        <translation>打开带权重的模型（如示例 tiny-llama），并选择一个节点。</translation>
    </message>
    <message>
        <source>Close panel</source>
        <translation>关闭面板</translation>
    </message>
    <message>
        <source>Close the panel that is worked with; Panels brings it back</source>
        <translation>关闭当前使用的面板；可从“面板”菜单重新打开</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比方式</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>Open this model again</source>
        <translation>重新打开此模型</translation>
    </message>
    <message>
        <source>Forget the recent files</source>
        <translation>清除最近打开的文件</translation>
    </message>
    <message>
        <source>The view in front, %1, has no list and no picture.</source>
        <translation>当前视图（%1）没有列表和图片。</translation>
    </message>
    <message>
        <source>Tool bar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>Show or hide the tool bar</source>
        <translation>显示或隐藏工具栏</translation>
    </message>
    <message>
        <source>The graph stays: choose a panel first.</source>
        <translation>图保持显示：请先选择一个面板。</translation>
    </message>
    <message>
        <source>The graph stays: choose a panel first, with %1 for example.</source>
        <translation>图保持显示：请先选择一个面板，例如按 %1。</translation>
    </message>
    <message>
        <source>%1 · %2 · stopped with an error: see Problems</source>
        <translation>%1 · %2 · 出错停止：详见“问题”</translation>
    </message>
    <message>
        <source>%1 · %2 · cancelled, partly done</source>
        <translation>%1 · %2 · 已取消，部分完成</translation>
    </message>
</context>
<context>
    <name>gelens::MemoryCanvas</name>
    <message>
        <source>estimated time</source>
        <translation>仿真估算时间</translation>
    </message>
    <message>
        <source>step in task order</source>
        <translation>Task 顺序</translation>
    </message>
    <message>
        <source>lower bound %1</source>
        <translation>理论下界 %1</translation>
    </message>
    <message>
        <source>▼ %1</source>
        <translation>▼ %1</translation>
    </message>
    <message>
        <source>planned peak %1</source>
        <translation>规划峰值 %1</translation>
    </message>
    <message>
        <source>▼ most alive: %1</source>
        <translation>▼ 存活最多：%1</translation>
    </message>
    <message>
        <source>outlines: %1, peak %2</source>
        <translation>轮廓：%1，峰值 %2</translation>
    </message>
</context>
<context>
    <name>gelens::MemoryView</name>
    <message>
        <source>They share %1 from %2: '%3' is last used at step %4, '%5' begins at step %6.</source>
        <translation>两者共用 %1，起于 %2：“%3”最后用于第 %4 步，“%5”始于第 %6 步。</translation>
    </message>
    <message>
        <source>They could share: '%1' is last used at step %2 on stream %3, '%4' begins at step %5 on stream %6. Different streams share only where an event orders them.</source>
        <translation>两者可以共用：“%1”最后用于流 %3 上的第 %2 步，“%4”始于流 %6 上的第 %5 步。不同的流只有在Event 确定次序时才能共用。</translation>
    </message>
    <message>
        <source>They could share: '%1' is last used at step %2, '%3' begins at step %4. The planner gave the places to other tensors.</source>
        <translation>两者可以共用：“%1”最后用于第 %2 步，“%3”始于第 %4 步。规划器把位置给了其他 Tensor。</translation>
    </message>
    <message>
        <source>%1 ('%2')</source>
        <translation>%1（“%2”）</translation>
    </message>
    <message>
        <source>This is one buffer: its tensors are views or results in place.</source>
        <translation>这是同一块内存：其中的 Tensor 是视图或原地结果。</translation>
    </message>
    <message>
        <source>Different kinds: '%1' is a %2, '%3' a %4. They live in different regions, which never share.</source>
        <translation>种类不同：“%1”是%2，“%3”是%4。它们位于不同区域，从不共用。</translation>
    </message>
    <message>
        <source>'%1' and '%2' are kept for the whole run (%3), so their places are never given to others.</source>
        <translation>“%1”和“%2”在整个运行期间保留（%3），其位置不会让给其他 Tensor。</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>于第 %1 步</translation>
    </message>
    <message>
        <source>from step %1 to step %2</source>
        <translation>从第 %1 步到第 %2 步</translation>
    </message>
    <message>
        <source>They could not share: their lifetimes overlap %1. '%2' is needed until then, '%3' already holds its values.</source>
        <translation>两者无法共用：生命周期%1重叠。“%2”此时仍需使用，“%3”已存有数值。</translation>
    </message>
    <message>
        <source>%1, made by %2</source>
        <translation>%1，由 %2 产生</translation>
    </message>
    <message>
        <source>address %1 (%2)</source>
        <translation>地址 %1（%2）</translation>
    </message>
    <message>
        <source>size %1, block %2</source>
        <translation>大小 %1，内存块 %2</translation>
    </message>
    <message>
        <source>alive from step %1 to step %2</source>
        <translation>存活于第 %1 步至第 %2 步</translation>
    </message>
    <message>
        <source>holds %1 tensors (views, results in place)</source>
        <translation>含 %1 个 Tensor（视图、原地结果）</translation>
    </message>
    <message>
        <source>… %1 more</source>
        <translation>… 另有 %1 个</translation>
    </message>
    <message>
        <source>at other times here: %1</source>
        <translation>其他时间位于此处：%1</translation>
    </message>
    <message>
        <source>The run ended before memory was planned.</source>
        <translation>编译在内存规划之前就结束了。</translation>
    </message>
    <message>
        <source>The problems list says what stopped it; run the model again to get a plan.</source>
        <translation>“问题”列表说明了原因；重新编译即可得到规划。</translation>
    </message>
    <message>
        <source>Sizes are missing, so no memory could be planned.</source>
        <translation>缺少尺寸，无法规划内存。</translation>
    </message>
    <message>
        <source>Give the dynamic inputs a shape and run the model again.</source>
        <translation>请为动态输入指定 shape 后重新编译。</translation>
    </message>
    <message>
        <source>No intermediate tensor needs memory.</source>
        <translation>没有需要内存的中间 Tensor。</translation>
    </message>
    <message>
        <source>Inputs, outputs and weights have regions of their own.</source>
        <translation>输入、输出和权重有各自的区域。</translation>
    </message>
    <message>
        <source>Peak %1 · lower bound %2 · GE's policy %3 · unshared %4 · weights apart %5</source>
        <translation>峰值 %1 · 理论下界 %2 · GE 策略 %3 · 不复用 %4 · 权重另计 %5</translation>
    </message>
    <message>
        <source> · proved optimal</source>
        <translation> · 已证明最优</translation>
    </message>
    <message>
        <source>Reuse saves %1 (%2 → %3): places used again.</source>
        <translation>复用节省 %1（%2 → %3）：同一位置重复使用。</translation>
    </message>
    <message>
        <source>The plan takes %1 more than a place for each tensor (%2 → %3).</source>
        <translation>该规划比每个 Tensor 各占一处还多用 %1（%2 → %3）。</translation>
    </message>
    <message>
        <source>Fusion saves %1 (%2 → %3): tensors that are no longer made.</source>
        <translation>融合节省 %1（%2 → %3）：不再产生的 Tensor。</translation>
    </message>
    <message>
        <source>The compiled graph has %1 more in its tensors (%2 → %3).</source>
        <translation>编译后的图中 Tensor 多出 %1（%2 → %3）。</translation>
    </message>
    <message>
        <source>Alive at the peak, step %1</source>
        <translation>峰值时存活：步骤 %1</translation>
    </message>
    <message>
        <source>Alive at step %1</source>
        <translation>步骤 %1 时存活</translation>
    </message>
    <message>
        <source>Task order</source>
        <translation>Task 顺序</translation>
    </message>
    <message>
        <source>Estimated time</source>
        <translation>仿真估算时间</translation>
    </message>
    <message>
        <source>What the horizontal axis counts</source>
        <translation>横轴的含义</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>find tensor…</source>
        <translation>查找 Tensor…</translation>
    </message>
    <message>
        <source>Fade tensors whose name does not contain this</source>
        <translation>淡化名称不含此文本的 Tensor</translation>
    </message>
    <message>
        <source>Find tensor</source>
        <translation>查找 Tensor</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Show everything (Home)</source>
        <translation>显示全部 (Home)</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Back to the tensors alive at the peak</source>
        <translation>回到峰值时存活的 Tensor</translation>
    </message>
    <message>
        <source>Memory map</source>
        <translation>内存图</translation>
    </message>
    <message>
        <source>Time across, address up, one rectangle for each tensor. W and S zoom time, A and D move, Ctrl+W and Ctrl+S zoom the address, arrows left and right walk from tensor to tensor, Home shows everything.</source>
        <translation>横向为时间，纵向为地址，每个矩形是一个 Tensor。W、S 缩放时间，A、D 移动，Ctrl+W、Ctrl+S 缩放地址，左右方向键逐个切换 Tensor，Home 显示全部。</translation>
    </message>
    <message>
        <source>Tensors alive</source>
        <translation>存活的 Tensor</translation>
    </message>
    <message>
        <source>No plan can be made by that policy.</source>
        <translation>该策略无法做出规划。</translation>
    </message>
    <message>
        <source>Planning anew for each change to a tensor at the peak …</source>
        <translation>正在为峰值处 Tensor 的每项改动重新规划…</translation>
    </message>
    <message>
        <source>Each row: one change, planned anew. The peak is %1 now; savings do not add up.</source>
        <translation>每行为一项改动，均已重新规划。当前峰值 %1；各项节省不可相加。</translation>
    </message>
    <message>
        <source>Export the memory map</source>
        <translation>导出内存图</translation>
    </message>
    <message>
        <source> · %1 below GE's policy</source>
        <translation> · 比 GE 策略低 %1</translation>
    </message>
    <message>
        <source> · the same as GE's policy</source>
        <translation> · 与 GE 策略相同</translation>
    </message>
    <message>
        <source> · holes at the peak %1</source>
        <translation> · 峰值处空洞 %1</translation>
    </message>
    <message>
        <source> · outlines: %1, peak %2</source>
        <translation> · 轮廓：%1，峰值 %2</translation>
    </message>
    <message>
        <source>no outlines</source>
        <translation>不叠加</translation>
    </message>
    <message>
        <source>GE's policy</source>
        <translation>GE 策略</translation>
    </message>
    <message>
        <source>simple policy</source>
        <translation>simple 策略</translation>
    </message>
    <message>
        <source>greedy policy</source>
        <translation>greedy 策略</translation>
    </message>
    <message>
        <source>optimal policy</source>
        <translation>optimal 策略</translation>
    </message>
    <message>
        <source>Lay the plan of another policy over this one, as outlines</source>
        <translation>以轮廓叠加另一种策略的规划</translation>
    </message>
    <message>
        <source>Plan laid over</source>
        <translation>叠加的规划</translation>
    </message>
    <message>
        <source>Holes</source>
        <translation>空洞</translation>
    </message>
    <message>
        <source>Hatch what lies free below the highest place in use (fragmentation)</source>
        <translation>用斜线标出最高占用地址以下的空闲处（碎片）</translation>
    </message>
    <message>
        <source>Alive</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>What would lower the peak</source>
        <translation>怎样降低峰值</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>The user supplies '%1' and holds it for the whole run.</source>
        <translation>“%1”由用户提供，并在整个运行期间持有。</translation>
    </message>
    <message>
        <source>They could not share: '%1' is last used at step %2 on stream %3 and '%4' begins at step %5 on stream %6, but no event orders the two streams there: they may run at the same time.</source>
        <translation>不能共用：“%1”最后在流 %3 的第 %2 步使用，“%4”在流 %6 的第 %5 步开始，但没有 Event 规定两条流的先后：它们可能同时运行。</translation>
    </message>
    <message>
        <source>They could not share: '%1' itself is dead by then, but it is a part of one continuous piece of memory, which is used until step %2. '%3' begins at step %4.</source>
        <translation>不能共用：“%1”自身此时已不再使用，但它属于一块连续内存，该内存用到第 %2 步。“%3”从第 %4 步开始。</translation>
    </message>
    <message>
        <source>They could not share: '%1' is never released, because it is a model output as well or its node says so.</source>
        <translation>不能共用：“%1”从不释放，因为它同时是模型输出，或其节点如此规定。</translation>
    </message>
    <message>
        <source>Their lives would allow it, but with padding and alignment '%1' needs %2, and '%3' leaves %4.</source>
        <translation>生命周期允许共用，但加上填充与对齐，“%1”需要 %2，而“%3”只留出 %4。</translation>
    </message>
    <message>
        <source>The run has not planned memory yet.</source>
        <translation>运行尚未规划内存。</translation>
    </message>
    <message>
        <source>It is halted; continue it from the Run menu.</source>
        <translation>运行已暂停；请从“运行”菜单继续。</translation>
    </message>
    <message>
        <source>Write the map as SVG, PNG or PDF, or all buffers as CSV (Ctrl+Shift+E)</source>
        <translation>将内存图写为 SVG、PNG 或 PDF，或将全部缓冲区写为 CSV (Ctrl+Shift+E)</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: %2, block %3 at %4, alive from step %5 to step %6</source>
        <translation>“%1”：%2，内存块 %3，地址 %4，从第 %5 步存活到第 %6 步</translation>
    </message>
    <message>
        <source>Ctrl and a click on a second tensor tells why the two do not share memory.</source>
        <translation>按住 Ctrl 再点击另一个 Tensor，可查看两者为何未共享内存。</translation>
    </message>
    <message>
        <source>%1 tensors are to be drawn; the memory map shows up to %2.</source>
        <translation>需要绘制 %1 个 Tensor；内存图最多显示 %2 个。</translation>
    </message>
    <message>
        <source>The statistics have the totals. All tensors with their addresses can be written as CSV.</source>
        <translation>统计视图中有总量。可将全部 Tensor 及其地址导出为 CSV。</translation>
    </message>
    <message>
        <source>The file plans no memory for tensors between operators.</source>
        <translation>该文件没有为算子之间的 Tensor 规划内存。</translation>
    </message>
    <message>
        <source>A model of dynamic shapes plans it as it runs; inputs, outputs and weights have regions of their own.</source>
        <translation>动态 shape 的模型在运行时规划内存；输入、输出和权重有各自的区域。</translation>
    </message>
</context>
<context>
    <name>gelens::MessagesModel</name>
    <message>
        <source>output %1 has another shape</source>
        <translation>输出 %1 的 shape 不同</translation>
    </message>
    <message>
        <source>output %1 has another type</source>
        <translation>输出 %1 的类型不同</translation>
    </message>
    <message>
        <source>output %1: %2 of %3 elements outside the tolerance, largest difference %4</source>
        <translation>输出 %1：%3 个元素中有 %2 个超出容差，最大差值 %4</translation>
    </message>
    <message>
        <source>The numbers were not checked: %1</source>
        <translation>未检查数值：%1</translation>
    </message>
    <message>
        <source>This step was not computed: %1</source>
        <translation>未计算此步：%1</translation>
    </message>
    <message>
        <source>The device computed other numbers than the graph does</source>
        <translation>设备算出的数值与计算图不同</translation>
    </message>
    <message>
        <source>Every step keeps the numbers; the device ran %1 task orders with the same result</source>
        <translation>每一步的数值都保持不变；设备按 %1 种 Task 次序运行，结果相同</translation>
    </message>
    <message>
        <source>Every step keeps the numbers; the device did not run</source>
        <translation>每一步的数值都保持不变；设备没有运行</translation>
    </message>
    <message>
        <source>The run was cancelled; what it had reached is shown</source>
        <translation>编译已取消；显示已得到的结果</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>发现的问题</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
</context>
<context>
    <name>gelens::ModelsModel</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>SoC</source>
        <translation>SoC</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Fusion rate</source>
        <translation>融合率</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>running again …</source>
        <translation>正在重新编译…</translation>
    </message>
    <message>
        <source>running …</source>
        <translation>正在编译…</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>cancelled, partly done</source>
        <translation>已取消，部分完成</translation>
    </message>
    <message>
        <source>stopped with an error</source>
        <translation>出错停止</translation>
    </message>
    <message>
        <source>done, numbers verified</source>
        <translation>完成，数值已验证</translation>
    </message>
    <message>
        <source>done, numbers differ</source>
        <translation>完成，数值有差异</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Memory reuse</source>
        <translation>内存复用率</translation>
    </message>
    <message>
        <source>Latency (est.)</source>
        <translation>时延（估算）</translation>
    </message>
    <message>
        <source>Kernels / shared</source>
        <translation>kernel / 共享</translation>
    </message>
</context>
<context>
    <name>gelens::ModelsView</name>
    <message>
        <source>Show this model</source>
        <translation>显示此模型</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>尚未打开模型。</translation>
    </message>
    <message>
        <source>Each open model gets a row here. Open one with Ctrl+O.</source>
        <translation>每个打开的模型在此占一行。按 Ctrl+O 打开。</translation>
    </message>
</context>
<context>
    <name>gelens::NeedsBar</name>
    <message>
        <source>needs %1, has %2</source>
        <translation>需要 %1，可用 %2</translation>
    </message>
    <message>
        <source>needs %1</source>
        <translation>需要 %1</translation>
    </message>
    <message>
        <source>has %1</source>
        <translation>可用 %1</translation>
    </message>
</context>
<context>
    <name>gelens::OptionWords</name>
    <message>
        <source>SoC %1 → %2</source>
        <translation>SoC %1 → %2</translation>
    </message>
    <message>
        <source>SoC file %1</source>
        <translation>SoC 文件 %1</translation>
    </message>
    <message>
        <source>mode %1</source>
        <translation>模式 %1</translation>
    </message>
    <message>
        <source>precision %1</source>
        <translation>精度 %1</translation>
    </message>
    <message>
        <source>memory policy %1</source>
        <translation>内存策略 %1</translation>
    </message>
    <message>
        <source>rule %1 as by default</source>
        <translation>规则 %1 恢复默认</translation>
    </message>
    <message>
        <source>rule %1 on</source>
        <translation>打开规则 %1</translation>
    </message>
    <message>
        <source>rule %1 off</source>
        <translation>关闭规则 %1</translation>
    </message>
    <message>
        <source>without rules of %1</source>
        <translation>不使用 %1 中的规则</translation>
    </message>
    <message>
        <source>rules of %1</source>
        <translation>使用 %1 中的规则</translation>
    </message>
    <message>
        <source>switches of %1</source>
        <translation>使用开关文件 %1</translation>
    </message>
    <message>
        <source>autofusion %1</source>
        <translation>自动融合 %1</translation>
    </message>
    <message>
        <source>input %1 [%2]</source>
        <translation>输入 %1 [%2]</translation>
    </message>
    <message>
        <source>as on the chip</source>
        <translation>同芯片</translation>
    </message>
    <message>
        <source>%1 cards</source>
        <translation>%1 张卡</translation>
    </message>
    <message>
        <source>parallel streams</source>
        <translation>多流并行</translation>
    </message>
    <message>
        <source>single stream</source>
        <translation>单流</translation>
    </message>
    <message>
        <source>stream label of %1: %2</source>
        <translation>%1 的流标签：%2</translation>
    </message>
    <message>
        <source>super kernel of %1: %2</source>
        <translation>%1 的 SuperKernel：%2</translation>
    </message>
    <message>
        <source>time limit %1 s</source>
        <translation>时限 %1 秒</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>随机种子 %1</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>not verified</source>
        <translation>不校验</translation>
    </message>
    <message>
        <source>same options</source>
        <translation>选项相同</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>intermediate tensors</source>
        <translation>中间 Tensor</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>lower bound</source>
        <translation>理论下界</translation>
    </message>
    <message>
        <source>memory without reuse</source>
        <translation>不复用时的内存</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>latency, estimated</source>
        <translation>时延（仿真估算）</translation>
    </message>
    <message>
        <source>fusion rate</source>
        <translation>融合率</translation>
    </message>
    <message>
        <source>memory reuse rate</source>
        <translation>内存复用率</translation>
    </message>
    <message>
        <source>unfused chains</source>
        <translation>未融合的算子链</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>best of all</source>
        <translation>最优</translation>
    </message>
    <message>
        <source>GE&apos;s own</source>
        <translation>GE 策略</translation>
    </message>
    <message>
        <source>simple</source>
        <translation>简单</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>optimal (searches)</source>
        <translation>最优解（搜索）</translation>
    </message>
    <message>
        <source>with pass %1</source>
        <translation>不跳过 Pass %1</translation>
    </message>
    <message>
        <source>without pass %1</source>
        <translation>跳过 Pass %1</translation>
    </message>
</context>
<context>
    <name>gelens::PatternPicture</name>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 '%2' on %3</source>
        <translation>%1 “%2”，单元 %3</translation>
    </message>
    <message>
        <source>✗ first mismatch: %1</source>
        <translation>✗ 首个不匹配：%1</translation>
    </message>
    <message>
        <source>nothing fits</source>
        <translation>没有匹配的节点</translation>
    </message>
</context>
<context>
    <name>gelens::PipelineModel</name>
    <message>
        <source>Pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Steps %1 to %2</source>
        <translation>第 %1 至 %2 步</translation>
    </message>
    <message>
        <source>GE's phase %1, steps %2 to %3</source>
        <translation>GE 阶段 %1，第 %2 至 %3 步</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>第 %1 步：%2</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>%1 edits · operators %2 → %3 · graph nodes %4 → %5</source>
        <translation>%1 处改动 · 算子 %2 → %3 · 图节点 %4 → %5</translation>
    </message>
    <message>
        <source>switched off in this run</source>
        <translation>本次编译中已关闭</translation>
    </message>
    <message>
        <source>a phase that is not documented</source>
        <translation>文档中没有的阶段</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>operators %1 · graph nodes %2</source>
        <translation>算子 %1 · 图节点 %2</translation>
    </message>
    <message>
        <source>%1 nodes changed · operators %2 → %3 · graph nodes %4 → %5</source>
        <translation>%1 个节点有变化 · 算子 %2 → %3 · 图节点 %4 → %5</translation>
    </message>
    <message>
        <source>Click to set or take away a breakpoint on this pass</source>
        <translation>单击可在此 Pass 上设置或取消断点</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
</context>
<context>
    <name>gelens::PipelineView</name>
    <message>
        <source>changed only</source>
        <translation>仅有变更的</translation>
    </message>
    <message>
        <source>Hide passes that changed nothing</source>
        <translation>隐藏没有变更的 Pass</translation>
    </message>
    <message>
        <source>touches selection</source>
        <translation>涉及所选节点</translation>
    </message>
    <message>
        <source>Only passes that touched the selected node</source>
        <translation>只列出改动过所选节点的 Pass</translation>
    </message>
    <message>
        <source>Double click or Enter goes to a step</source>
        <translation>双击或按 Enter 转到该步</translation>
    </message>
    <message>
        <source>Take the breakpoint away</source>
        <translation>取消断点</translation>
    </message>
    <message>
        <source>Set a breakpoint</source>
        <translation>设置断点</translation>
    </message>
    <message>
        <source>What-if without this pass</source>
        <translation>跳过此 Pass 的假设分析</translation>
    </message>
</context>
<context>
    <name>gelens::ProblemsView</name>
    <message>
        <source>Nothing to report.</source>
        <translation>没有问题。</translation>
    </message>
    <message>
        <source>Verify (Shift+F5) computes before and after each step and lists what differs.</source>
        <translation>“验证”(Shift+F5) 会计算每一步前后的数值并列出差异。</translation>
    </message>
</context>
<context>
    <name>gelens::PropertyModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>gelens::Report</name>
    <message>
        <source>lightweight compilation</source>
        <translation>轻量级编译</translation>
    </message>
    <message>
        <source>full compilation</source>
        <translation>全量编译</translation>
    </message>
    <message>
        <source>needs</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>has</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>rows left out</source>
        <translation>行已省略</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>概要</translation>
    </message>
    <message>
        <source>before</source>
        <translation>编译前</translation>
    </message>
    <message>
        <source>after</source>
        <translation>编译后</translation>
    </message>
    <message>
        <source>reduction</source>
        <translation>降幅</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>intermediate tensors</source>
        <translation>中间 Tensor</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>latency, estimated</source>
        <translation>时延（仿真估算）</translation>
    </message>
    <message>
        <source>More figures</source>
        <translation>其他指标</translation>
    </message>
    <message>
        <source>figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>fusion rate</source>
        <translation>融合率</translation>
    </message>
    <message>
        <source>memory reuse rate</source>
        <translation>内存复用率</translation>
    </message>
    <message>
        <source>lower bound of memory</source>
        <translation>内存理论下界</translation>
    </message>
    <message>
        <source>memory with GE&apos;s own policy</source>
        <translation>采用 GE 策略的内存</translation>
    </message>
    <message>
        <source>memory without reuse</source>
        <translation>不复用时的内存</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>kernels compiled</source>
        <translation>已编译的 kernel</translation>
    </message>
    <message>
        <source>kernels shared</source>
        <translation>共享的 kernel</translation>
    </message>
    <message>
        <source>How it was compiled</source>
        <translation>编译方式</translation>
    </message>
    <message>
        <source>option</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>memory policy</source>
        <translation>内存策略</translation>
    </message>
    <message>
        <source>Times are estimates of a published cost model, not measurements.</source>
        <translation>时间为公开代价模型的仿真估算，并非实测。</translation>
    </message>
    <message>
        <source>Graphs</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Steps that changed the graph</source>
        <translation>改动图的步骤</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>环节</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>edits</source>
        <translation>改动数</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>Fusion rules</source>
        <translation>融合规则</translation>
    </message>
    <message>
        <source>rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>GE pass</source>
        <translation>GE Pass</translation>
    </message>
    <message>
        <source>matched</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>effective</source>
        <translation>生效</translation>
    </message>
    <message>
        <source>what it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Chains that were not fused</source>
        <translation>未融合的算子链</translation>
    </message>
    <message>
        <source>Every chain that a rule names was fused.</source>
        <translation>规则所涉及的算子链均已融合。</translation>
    </message>
    <message>
        <source>chains left out</source>
        <translation>条算子链已省略</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>position in the task order</source>
        <translation>Task 顺序中的位置</translation>
    </message>
    <message>
        <source>address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>No memory was planned.</source>
        <translation>未做内存规划。</translation>
    </message>
    <message>
        <source>Who lives where in device memory, and when</source>
        <translation>显存中各 Tensor 的位置与生命周期</translation>
    </message>
    <message>
        <source>What the peak is made of</source>
        <translation>峰值的构成</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>estimated time</source>
        <translation>仿真估算时间</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>When each task runs, estimated</source>
        <translation>各 Task 的执行时间（仿真估算）</translation>
    </message>
    <message>
        <source>Time by operator type</source>
        <translation>按算子类型统计的时间</translation>
    </message>
    <message>
        <source>operator type</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Longest tasks</source>
        <translation>最耗时的 Task</translation>
    </message>
    <message>
        <source>task</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>数值校验</translation>
    </message>
    <message>
        <source>The numbers hold at every step.</source>
        <translation>每一步的数值均正确。</translation>
    </message>
    <message>
        <source>The numbers do NOT hold.</source>
        <translation>数值不正确。</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>largest error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>severity</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>%1 operators became %2, and %3 tasks %4.</source>
        <translation>算子由 %1 个变为 %2 个，Task 由 %3 个变为 %4 个。</translation>
    </message>
    <message>
        <source>Estimated latency: %1 before, %2 after.</source>
        <translation>时延（仿真估算）：优化前 %1，优化后 %2。</translation>
    </message>
    <message>
        <source>Intermediate tensors need %1 at the peak; no plan can need less.</source>
        <translation>中间 Tensor 的内存峰值为 %1，已达到理论下界，任何规划都不会更小。</translation>
    </message>
    <message>
        <source>Intermediate tensors need %1 at the peak; any plan needs at least %2.</source>
        <translation>中间 Tensor 的内存峰值为 %1，理论下界为 %2。</translation>
    </message>
    <message>
        <source>Chains that no rule fused: %1, at %2 places. Most often: %3 (%4 places).</source>
        <translation>未融合的算子链：%1 条，共 %2 处。最常见的原因：%3（%4 处）。</translation>
    </message>
    <message>
        <source>The numbers were verified and hold at every step.</source>
        <translation>已逐步校验数值，每一步都一致。</translation>
    </message>
    <message>
        <source>The numbers were verified and do NOT hold.</source>
        <translation>已逐步校验数值，结果不一致。</translation>
    </message>
    <message>
        <source>The run stopped early; what follows is what it had reached.</source>
        <translation>编译提前终止；以下为终止前得到的结果。</translation>
    </message>
    <message>
        <source>Why chains were not fused</source>
        <translation>未融合的原因</translation>
    </message>
    <message>
        <source>reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>chains</source>
        <translation>链数</translation>
    </message>
    <message>
        <source>places</source>
        <translation>处数</translation>
    </message>
    <message>
        <source>command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>Words used here</source>
        <translation>术语说明</translation>
    </message>
    <message>
        <source>word</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>operators that fusion took away, as a share of those that were read</source>
        <translation>融合后减少的算子占原图算子的比例</translation>
    </message>
    <message>
        <source>memory that sharing saves, as a share of what each tensor in a place of its own would take</source>
        <translation>复用节省的内存占各 Tensor 单独分配时所需内存的比例</translation>
    </message>
    <message>
        <source>the most bytes alive at one time: no plan can need less</source>
        <translation>同一时刻存活的最大字节数：任何规划都不会低于它</translation>
    </message>
    <message>
        <source>what GE&apos;s own block allocator would need for the same tensors</source>
        <translation>GE 自身的内存块分配策略为同样的 Tensor 所需的内存</translation>
    </message>
    <message>
        <source>a kernel that several tasks run is compiled once</source>
        <translation>多个 Task 使用的同一 kernel 只编译一次</translation>
    </message>
    <message>
        <source>colours and letters</source>
        <translation>颜色与字母</translation>
    </message>
    <message>
        <source>C: cube, the matrix unit; V: vector unit; M: both in one kernel; H: AI CPU or host; ·: no computation of its own</source>
        <translation>C：cube（矩阵单元）；V：vector（向量单元）；M：mix（同一 kernel 同时使用两者）；H：AI CPU 或 host；·：自身不做计算</translation>
    </message>
    <message>
        <source>Graph as read</source>
        <translation>读入的图</translation>
    </message>
    <message>
        <source>Graph as compiled</source>
        <translation>编译后的图</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes each</source>
        <translation>各 %1 个节点</translation>
    </message>
    <message>
        <source>%1 variants</source>
        <translation>%1 种变体</translation>
    </message>
    <message>
        <source>graph of %1</source>
        <translation>%1 的图</translation>
    </message>
    <message>
        <source>dumped phases</source>
        <translation>dump 的各阶段</translation>
    </message>
    <message>
        <source>Dumped phases</source>
        <translation>dump 的各阶段</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>数据来源</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>changed nodes</source>
        <translation>变更的节点</translation>
    </message>
    <message>
        <source>what it shows</source>
        <translation>内容说明</translation>
    </message>
    <message>
        <source>Graphs in the folder: %1.</source>
        <translation>文件夹中的图：%1 个。</translation>
    </message>
    <message>
        <source>Graphs in the folder: %1. The first of the last series has %2 operators, its last %3.</source>
        <translation>文件夹中的图：%1 个。最后一组的第一个图有 %2 个算子，最后一个图有 %3 个。</translation>
    </message>
    <message>
        <source>Graphs that cannot be read: %1.</source>
        <translation>无法读取的图：%1 个。</translation>
    </message>
    <message>
        <source>Graph of the first phase</source>
        <translation>第一阶段的图</translation>
    </message>
    <message>
        <source>Graph of the last phase</source>
        <translation>最后阶段的图</translation>
    </message>
    <message>
        <source>%1: its picture would have %2 boxes even with its blocks folded; a report shows up to %3. Write it as a file of its own: gelens-cli export MODEL --to graph.svg.</source>
        <translation>%1：即使折叠重复结构，图中仍有 %2 个框；报告最多显示 %3 个。请单独导出为文件：gelens-cli export MODEL --to graph.svg。</translation>
    </message>
    <message>
        <source>Larger than a page: zoom in, or write it as a file of its own with gelens-cli export MODEL --to graph.svg.</source>
        <translation>图片大于一页：请放大查看，或用 gelens-cli export MODEL --to graph.svg 单独导出为文件。</translation>
    </message>
</context>
<context>
    <name>gelens::ReportPdf</name>
    <message>
        <source>%1: the pages cannot be painted</source>
        <translation>%1：无法绘制页面</translation>
    </message>
</context>
<context>
    <name>gelens::CardTools</name>
    <message>
        <source>Split over cards…</source>
        <translation>切分到多张卡…</translation>
    </message>
    <message>
        <source>Split the model by its repeated blocks and compile each card&apos;s part as a model of its own</source>
        <translation>按重复块切分模型，并把每张卡的部分作为独立模型编译</translation>
    </message>
    <message>
        <source>Split over cards</source>
        <translation>切分到多张卡</translation>
    </message>
    <message>
        <source>Number of cards for %1:</source>
        <translation>%1 的卡数：</translation>
    </message>
    <message>
        <source>Splitting %1 …</source>
        <translation>正在切分 %1 …</translation>
    </message>
    <message>
        <source>%1 is split over %2 cards; choose one in the list of models.</source>
        <translation>%1 已切分到 %2 张卡；请在模型列表中选择一张。</translation>
    </message>
</context>
<context>
    <name>gelens::ReportTools</name>
    <message>
        <source>Export report…</source>
        <translation>导出报告…</translation>
    </message>
    <message>
        <source>Write graphs, figures, verdicts and tables of the run as one HTML or PDF file</source>
        <translation>将本次运行的图、指标、结论和表格写入一个 HTML 或 PDF 文件</translation>
    </message>
    <message>
        <source>Export the report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>HTML (*.html);;PDF (*.pdf)</source>
        <translation>HTML (*.html);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Writing the report …</source>
        <translation>正在写报告 …</translation>
    </message>
    <message>
        <source>Report written to %1</source>
        <translation>报告已写入 %1</translation>
    </message>
    <message>
        <source>%1 files written to %2</source>
        <translation>已写出 %1 个文件到 %2</translation>
    </message>
    <message>
        <source>Export steps as text…</source>
        <translation>将步骤导出为文本…</translation>
    </message>
    <message>
        <source>Write the graphs of chosen phases or passes as ge_onnx, ge_proto or readable text</source>
        <translation>将所选阶段或 Pass 的图写成 ge_onnx、ge_proto 或可读文本</translation>
    </message>
</context>
<context>
    <name>gelens::RuleSwitchesModel</name>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>switched on</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>switched off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>as it stands by default</source>
        <translation>默认状态</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>gelens::RunDifferenceModel</name>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Base run</source>
        <translation>基准运行</translation>
    </message>
    <message>
        <source>What-if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Fusion rules</source>
        <translation>融合规则</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Card %1: %2</source>
        <translation>卡 %1：%2</translation>
    </message>
</context>
<context>
    <name>gelens::Sentence</name>
    <message>
        <source>keys</source>
        <translation>键数</translation>
    </message>
    <message>
        <source>head size</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>hidden size</source>
        <translation>隐藏层维度</translation>
    </message>
    <message>
        <source>cube</source>
        <translation>cube</translation>
    </message>
    <message>
        <source>vector</source>
        <translation>vector</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>always on</source>
        <translation>始终开启</translation>
    </message>
    <message>
        <source>AI CPU</source>
        <translation>AI CPU</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>the same tensor as elsewhere in the pattern</source>
        <translation>与模式别处相同的 Tensor</translation>
    </message>
    <message>
        <source>a constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>one of its forms</source>
        <translation>其某一种形式</translation>
    </message>
    <message>
        <source>not one number</source>
        <translation>不是单个数</translation>
    </message>
    <message>
        <source>no kernel spans both</source>
        <translation>没有能横跨两者的 kernel</translation>
    </message>
    <message>
        <source>L1 size</source>
        <translation>L1 容量</translation>
    </message>
    <message>
        <source>UB size</source>
        <translation>UB 容量</translation>
    </message>
    <message>
        <source>L0A size</source>
        <translation>L0A 容量</translation>
    </message>
    <message>
        <source>L0B size</source>
        <translation>L0B 容量</translation>
    </message>
    <message>
        <source>L0C size</source>
        <translation>L0C 容量</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 (a dim is not known)</source>
        <translation>%1（有维度未知）</translation>
    </message>
    <message>
        <source>%1; a Cast between the operators keeps them apart</source>
        <translation>%1；算子之间的 Cast 把它们隔开</translation>
    </message>
    <message>
        <source>%1 names %2 before %3, but the rest of its pattern is not here</source>
        <translation>%1 规则中 %2 在 %3 之前，但其模式的其余部分不在此处</translation>
    </message>
    <message>
        <source>no rule joins %1 and %2; only autofusion could</source>
        <translation>没有规则把 %1 与 %2 融合；只有自动融合可能做到</translation>
    </message>
    <message>
        <source>Write the operators as %1 expects, or add a rule.</source>
        <translation>按 %1 要求的形式书写算子，或新增规则。</translation>
    </message>
    <message>
        <source>Write the operators as %1 expects, or add a rule for this form.</source>
        <translation>按 %1 要求的形式书写算子，或为这种形式新增规则。</translation>
    </message>
    <message>
        <source>Add a rule for the pair, or turn autofusion on.</source>
        <translation>为这一对算子新增规则，或开启自动融合。</translation>
    </message>
    <message>
        <source>the result of &apos;%1&apos; has %2 or more readers; &apos;%3&apos; (%4) reads it too</source>
        <translation>“%1”的结果有 %2 个或更多消费者；“%3”（%4）也读取它</translation>
    </message>
    <message>
        <source>the result of &apos;%1&apos; has %2 readers; &apos;%3&apos; (%4) reads it too</source>
        <translation>“%1”的结果有 %2 个消费者；“%3”（%4）也读取它</translation>
    </message>
    <message>
        <source>Give &apos;%1&apos; an own copy of &apos;%2&apos;.</source>
        <translation>为“%1”单独提供一份“%2”。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) runs on %3, &apos;%4&apos; (%5) on %6: %7</source>
        <translation>“%1”（%2）在 %3 上执行，“%4”（%5）在 %6 上执行：%7</translation>
    </message>
    <message>
        <source>Replace the operator by one that AI cores run.</source>
        <translation>换用可在 AI Core 上执行的算子。</translation>
    </message>
    <message>
        <source>separate cores on %1, with no path between L0C and UB and no mix kernel for the pair</source>
        <translation>%1 上两者是分离的核，L0C 与 UB 之间没有通路，这一对算子也没有 mix kernel</translation>
    </message>
    <message>
        <source>Use a chip with combined cores such as Ascend310P3, or a mix kernel for the pair.</source>
        <translation>换用核合一的芯片（如 Ascend310P3），或为这一对算子提供 mix kernel。</translation>
    </message>
    <message>
        <source>Use a chip with combined cores such as Ascend310P3, or a mix kernel for the pair; else keep the vector part apart.</source>
        <translation>换用核合一的芯片（如 Ascend310P3），或为这一对算子提供 mix kernel；否则让 vector 部分单独执行。</translation>
    </message>
    <message>
        <source>%1 is %2 (%3)</source>
        <translation>%1 已%2（%3）</translation>
    </message>
    <message>
        <source>Turn %1 on in fusion_switch.cfg.</source>
        <translation>在 fusion_switch.cfg 中开启 %1。</translation>
    </message>
    <message>
        <source>%1 has %2 inputs where the rule takes %3</source>
        <translation>%1 有 %2 个输入，规则只接受 %3 个</translation>
    </message>
    <message>
        <source>Remove the extra input of &apos;%1&apos;.</source>
        <translation>去掉“%1”多余的输入。</translation>
    </message>
    <message>
        <source>the result of %1 is an output of the graph</source>
        <translation>%1 的结果是图的输出</translation>
    </message>
    <message>
        <source>Output the result of the last operator of the chain instead.</source>
        <translation>改为输出链上最后一个算子的结果。</translation>
    </message>
    <message>
        <source>the result of %1 is also read by %2</source>
        <translation>%1 的结果还被 %2 读取</translation>
    </message>
    <message>
        <source>no inner result is read from outside</source>
        <translation>内部结果没有被外部读取</translation>
    </message>
    <message>
        <source>%1 results of %2 are read; the rule takes %3</source>
        <translation>%2 有 %1 个结果被读取；规则只接受 %3 个</translation>
    </message>
    <message>
        <source>Read no more than %1 results of &apos;%2&apos;.</source>
        <translation>最多读取“%2”的 %1 个结果。</translation>
    </message>
    <message>
        <source>%1 is already in a fusion scope (%2 = %3)</source>
        <translation>%1 已在某个融合 scope 中（%2 = %3）</translation>
    </message>
    <message>
        <source>Switch the earlier pass off, or give this one a higher priority.</source>
        <translation>关闭更早的 Pass，或提高本 Pass 的优先级。</translation>
    </message>
    <message>
        <source>%1 has a kernel of another kind than TBE (_fe_imply_type = %2)</source>
        <translation>%1 的 kernel 不是 TBE 类型（_fe_imply_type = %2）</translation>
    </message>
    <message>
        <source>Buffer fusion joins TBE kernels only.</source>
        <translation>UB 融合只合并 TBE kernel。</translation>
    </message>
    <message>
        <source>%1 is sliced into threads (_thread_mode = %2)</source>
        <translation>%1 已按线程切分（_thread_mode = %2）</translation>
    </message>
    <message>
        <source>Switch automatic slicing off for the chain.</source>
        <translation>对这条链关闭自动切分。</translation>
    </message>
    <message>
        <source>no operator is in a fusion scope, sliced into threads, or of another kernel kind</source>
        <translation>没有算子处于融合 scope、被线程切分或属于其他 kernel 类型</translation>
    </message>
    <message>
        <source>%1 has %2 control edges; the rule allows none</source>
        <translation>%1 有 %2 条控制边；规则不允许控制边</translation>
    </message>
    <message>
        <source>%1 has %2 control edge; the rule allows none</source>
        <translation>%1 有 %2 条控制边；规则不允许控制边</translation>
    </message>
    <message>
        <source>Drop the explicit dependencies of &apos;%1&apos;.</source>
        <translation>去掉“%1”的显式依赖。</translation>
    </message>
    <message>
        <source>no control edges at the matched operators</source>
        <translation>匹配到的算子没有控制边</translation>
    </message>
    <message>
        <source>%1 owns sub-graphs</source>
        <translation>%1 带有子图</translation>
    </message>
    <message>
        <source>Inline the branch.</source>
        <translation>把分支内联。</translation>
    </message>
    <message>
        <source>the rule takes static shapes only; %1 gives %2</source>
        <translation>规则只接受静态 shape；%1 输出 %2</translation>
    </message>
    <message>
        <source>Fix the input shapes (--set) or compile for gears.</source>
        <translation>固定输入 shape（--set），或按档位编译。</translation>
    </message>
    <message>
        <source>Fix the input shapes (--set).</source>
        <translation>固定输入 shape（--set）。</translation>
    </message>
    <message>
        <source>all shapes are known</source>
        <translation>所有 shape 均已知</translation>
    </message>
    <message>
        <source>one operator in place of the chain closes no cycle</source>
        <translation>用一个算子替换整条链不会成环</translation>
    </message>
    <message>
        <source>a path leaves the chain and comes back through %1: fusing would close a cycle (GRAPH_FUSION_CYCLE)</source>
        <translation>有路径离开这条链又经 %1 返回：融合会成环（GRAPH_FUSION_CYCLE）</translation>
    </message>
    <message>
        <source>Cut the extra branch, for instance with an Identity.</source>
        <translation>切断多出的分支，例如插入 Identity。</translation>
    </message>
    <message>
        <source>Remove the stream labels.</source>
        <translation>去掉流标签。</translation>
    </message>
    <message>
        <source>Use one super-kernel scope for the chain.</source>
        <translation>整条链使用同一个 SuperKernel scope。</translation>
    </message>
    <message>
        <source>Use the same super-kernel options for the chain.</source>
        <translation>整条链使用相同的 SuperKernel 选项。</translation>
    </message>
    <message>
        <source>Remove the limits on the number of cores.</source>
        <translation>去掉核数限制。</translation>
    </message>
    <message>
        <source>Use the same determinism for the chain.</source>
        <translation>整条链使用相同的确定性设置。</translation>
    </message>
    <message>
        <source>%1 differs among the operators: %2</source>
        <translation>各算子的 %1 不一致：%2</translation>
    </message>
    <message>
        <source>stream label, super-kernel scope, core numbers and determinism agree</source>
        <translation>流标签、SuperKernel scope、核数与确定性设置一致</translation>
    </message>
    <message>
        <source>%1 is marked for data dump</source>
        <translation>%1 被标记为数据 dump</translation>
    </message>
    <message>
        <source>Switch the data dump off, or dump after fusion.</source>
        <translation>关闭数据 dump，或在融合之后 dump。</translation>
    </message>
    <message>
        <source>%1 has UB fusion</source>
        <translation>%1 有 UB 融合</translation>
    </message>
    <message>
        <source>%1 has no UB fusion</source>
        <translation>%1 没有 UB 融合</translation>
    </message>
    <message>
        <source>Use a chip with UB fusion, such as Ascend310P3.</source>
        <translation>换用支持 UB 融合的芯片，如 Ascend310P3。</translation>
    </message>
    <message>
        <source>%1 exists on all chips but %2; this is %3</source>
        <translation>除 %2 外所有芯片都有 %1；当前是 %3</translation>
    </message>
    <message>
        <source>%1 exists on %2 only; this is %3</source>
        <translation>%1 只在 %2 上存在；当前是 %3</translation>
    </message>
    <message>
        <source>Use another chip.</source>
        <translation>换用其他芯片。</translation>
    </message>
    <message>
        <source>Use a chip of %1.</source>
        <translation>换用 %1 系列的芯片。</translation>
    </message>
    <message>
        <source>%1 gives %2; the fused operator takes %3</source>
        <translation>%1 输出 %2；融合算子接受 %3</translation>
    </message>
    <message>
        <source>Compile in %1.</source>
        <translation>用 %1 编译。</translation>
    </message>
    <message>
        <source>%1 is stored as %2; the rule takes plain layouts only</source>
        <translation>%1 以 %2 存放；规则只接受普通排布</translation>
    </message>
    <message>
        <source>Keep the plain layout for this operator.</source>
        <translation>让该算子保持普通排布。</translation>
    </message>
    <message>
        <source>%1 runs on the %2, the others on AI cores</source>
        <translation>%1 在 %2 上执行，其余在 AI Core 上执行</translation>
    </message>
    <message>
        <source>Replace &apos;%1&apos; by an operator that AI cores run.</source>
        <translation>把“%1”换成可在 AI Core 上执行的算子。</translation>
    </message>
    <message>
        <source>all operators run on one unit</source>
        <translation>所有算子在同一执行单元上执行</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) runs on the cube unit and &apos;%3&apos; (%4) on the vector unit; on %5 both share a core and L0C feeds UB</source>
        <translation>“%1”（%2）在 cube 单元执行，“%3”（%4）在 vector 单元执行；%5 上两者同核，L0C 可直通 UB</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) runs on the cube unit and &apos;%3&apos; (%4) on the vector unit; the fix-pipe of %5 does the epilogue on the way out of L0C</source>
        <translation>“%1”（%2）在 cube 单元执行，“%3”（%4）在 vector 单元执行；%5 的 fix-pipe 在数据流出 L0C 时完成后处理</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) runs on the cube unit and &apos;%3&apos; (%4) on the vector unit; on %5 these are separate cores: no path from L0C to UB and no mix kernel for the pair, so the data goes through L2/GM</source>
        <translation>“%1”（%2）在 cube 单元执行，“%3”（%4）在 vector 单元执行；%5 上它们是分离的核：L0C 到 UB 没有通路，也没有这一对的 mix kernel，数据须经 L2/GM</translation>
    </message>
    <message>
        <source>&apos;%1&apos; comes into the sub-graph from outside through %2</source>
        <translation>“%1”经 %2 从子图外部传入</translation>
    </message>
    <message>
        <source>Inline the branch, or put the constant inside it.</source>
        <translation>把分支内联，或把常量放进分支。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a constant; it comes from %2</source>
        <translation>“%1”必须是常量；它来自 %2</translation>
    </message>
    <message>
        <source>Make the operand a constant, or enable constant folding.</source>
        <translation>把该操作数变为常量，或开启常量折叠。</translation>
    </message>
    <message>
        <source>the values of &apos;%1&apos; (%2) are absent: they are declared outside the model file</source>
        <translation>“%1”（%2）的数值缺失：它们声明在模型文件之外</translation>
    </message>
    <message>
        <source>Put the external weights beside the model.</source>
        <translation>把外部权重放到模型旁边。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be one number; %2 holds %3</source>
        <translation>“%1”必须是单个数；%2 含 %3 个</translation>
    </message>
    <message>
        <source>Use one number for &apos;%1&apos;.</source>
        <translation>“%1”只用一个数。</translation>
    </message>
    <message>
        <source>what &apos;%1&apos; must be depends on a dim that is not known</source>
        <translation>“%1”应取的值取决于未知的维度</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is %2, the rule wants %3</source>
        <translation>“%1”为 %2，规则要求 %3</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>Set &apos;%1&apos; to %2.</source>
        <translation>把“%1”设为 %2。</translation>
    </message>
    <message>
        <source>all operands that must be constant are</source>
        <translation>必须为常量的操作数都是常量</translation>
    </message>
    <message>
        <source>how much %1 it needs depends on a dim that is not known</source>
        <translation>需要多少 %1 取决于未知的维度</translation>
    </message>
    <message>
        <source>needs %1 B of %2, %3 has %4 B (%5)</source>
        <translation>需要 %2 %1 B，%3 有 %4 B（%5）</translation>
    </message>
    <message>
        <source>Reduce %1 to at most %2, or reduce %3 to at most %4, or reduce %5 to at most %6, or use a chip with at least %7 B of %8.</source>
        <translation>把%1减到不超过 %2，或把%3减到不超过 %4，或把%5减到不超过 %6，或换用 %8 不少于 %7 B 的芯片。</translation>
    </message>
    <message>
        <source>Reduce %1 to at most %2, or reduce %3 to at most %4, or use a chip with at least %5 B of %6.</source>
        <translation>把%1减到不超过 %2，或把%3减到不超过 %4，或换用 %6 不少于 %5 B 的芯片。</translation>
    </message>
    <message>
        <source>Reduce %1 to at most %2, or use a chip with at least %3 B of %4.</source>
        <translation>把%1减到不超过 %2，或换用 %4 不少于 %3 B 的芯片。</translation>
    </message>
    <message>
        <source>Use a chip with at least %1 B of %2.</source>
        <translation>换用 %2 不少于 %1 B 的芯片。</translation>
    </message>
    <message>
        <source>%1 matched %2 operators and stopped at &apos;%3&apos;, which wants %4: found &apos;%5&apos; (%6)</source>
        <translation>%1 匹配了 %2 个算子，停在“%3”：它要求 %4，遇到的是“%5”（%6）</translation>
    </message>
    <message>
        <source>%1 matched %2 operators and stopped at &apos;%3&apos;, which wants %4: there is no such input</source>
        <translation>%1 匹配了 %2 个算子，停在“%3”：它要求 %4，但没有这样的输入</translation>
    </message>
    <message>
        <source>Use a precision mode that inserts no Cast here, or let the model keep one type.</source>
        <translation>换用不在此处插入 Cast 的精度模式，或让模型保持同一类型。</translation>
    </message>
    <message>
        <source>%1 accepts the operands</source>
        <translation>%1 接受这些操作数</translation>
    </message>
    <message>
        <source>Use a chip with TBE kernels, such as Ascend310P3, or autofusion.</source>
        <translation>换用有 TBE kernel 的芯片（如 Ascend310P3），或使用自动融合。</translation>
    </message>
    <message>
        <source>vector kernels of this generation are written in AscendC; buffer fusion joins TBE kernels only</source>
        <translation>这一代的 vector kernel 用 AscendC 编写；UB 融合只合并 TBE kernel</translation>
    </message>
    <message>
        <source>the %1 file carries no compiled plan</source>
        <translation>%1 文件不带编译好的执行计划</translation>
    </message>
    <message>
        <source>no repeated blocks were found, so the model cannot be split over cards</source>
        <translation>没有找到重复块，因此无法把模型切分到多张卡</translation>
    </message>
    <message>
        <source>%1: this part keeps the input shapes that the model was split with; set them for the whole model and split it again</source>
        <translation>%1：这一部分保持切分模型时的输入 shape；请在整个模型上设置 shape 后重新切分</translation>
    </message>
    <message>
        <source>%1: %2 cards cannot share %3 blocks</source>
        <translation>%1：%3 个重复块不够 %2 张卡分</translation>
    </message>
    <message>
        <source>a model with sub-graphs cannot be split over cards</source>
        <translation>带子图的模型无法切分到多张卡</translation>
    </message>
    <message>
        <source>the file carries a compiled plan, its original graph is gone: it cannot be split over cards</source>
        <translation>文件带有编译好的执行计划，原图已不在，无法切分到多张卡</translation>
    </message>
    <message>
        <source>the file carries a compiled plan: %1</source>
        <translation>文件带有编译好的执行计划：%1</translation>
    </message>
    <message>
        <source>the OM file carries no compiled plan: %1</source>
        <translation>OM 文件不带编译好的执行计划：%1</translation>
    </message>
    <message>
        <source>its task list is empty</source>
        <translation>它的 Task 列表为空</translation>
    </message>
    <message>
        <source>it has no task list: only a graph</source>
        <translation>它没有 Task 列表，只有图</translation>
    </message>
    <message>
        <source>it holds %1 tasks in %2 models; memory is planned at run time</source>
        <translation>它含 %2 个模型、%1 个 Task；内存在运行时规划</translation>
    </message>
    <message>
        <source>it has tasks, but neither streams nor memory are assigned</source>
        <translation>它有 Task，但没有分配流和内存</translation>
    </message>
    <message>
        <source>the steps are the phases that GE dumped</source>
        <translation>各步即 GE dump 出的阶段</translation>
    </message>
    <message>
        <source>two runs of one model, compared</source>
        <translation>同一模型的两次运行，作比较</translation>
    </message>
    <message>
        <source>Give the other reader a copy of its own.</source>
        <translation>为另一个消费者单独提供一份副本。</translation>
    </message>
    <message>
        <source>On Ascend910B and Ascend910_93 the rule FlashAttentionOnlineFusion tiles the keys and takes any length.</source>
        <translation>在 Ascend910B 与 Ascend910_93 上，规则 FlashAttentionOnlineFusion 对键分块，任意长度均可。</translation>
    </message>
    <message>
        <source>Only these families have the kernel with online softmax.</source>
        <translation>只有这些系列有在线 softmax 的 kernel。</translation>
    </message>
    <message>
        <source>Only these families have the kernel; others pack both weights (GateUpPackFusion) or run the gate in the same kernel.</source>
        <translation>只有这些系列有该 kernel；其他芯片打包两份权重（GateUpPackFusion），或在同一 kernel 中完成门控。</translation>
    </message>
    <message>
        <source>a one-dimensional operand of Add runs along the last axis, not along the channels</source>
        <translation>Add 的一维操作数沿最后一轴，而非通道轴</translation>
    </message>
    <message>
        <source>a quantised filter cannot be scaled</source>
        <translation>量化后的卷积核不能再缩放</translation>
    </message>
    <message>
        <source>all operands must have one shape</source>
        <translation>所有操作数必须 shape 相同</translation>
    </message>
    <message>
        <source>batch and heads of query and scores must agree</source>
        <translation>query 与 scores 的 batch 和头数必须一致</translation>
    </message>
    <message>
        <source>bias and product must have one type</source>
        <translation>bias 与乘积必须类型相同</translation>
    </message>
    <message>
        <source>both bounds must be one number</source>
        <translation>两个界限都必须是单个数</translation>
    </message>
    <message>
        <source>both halves must have equal size; the second has %1 of %2</source>
        <translation>两半大小必须相等；第二半占 %2 中的 %1</translation>
    </message>
    <message>
        <source>both means must keep their dims</source>
        <translation>两个均值都必须保留维度</translation>
    </message>
    <message>
        <source>both means must run over the last axis alone</source>
        <translation>两个均值都只能沿最后一轴</translation>
    </message>
    <message>
        <source>both operands must have one shape</source>
        <translation>两个操作数必须 shape 相同</translation>
    </message>
    <message>
        <source>both operands must have one type</source>
        <translation>两个操作数必须类型相同</translation>
    </message>
    <message>
        <source>both operands must have the shape of the sum</source>
        <translation>两个操作数必须与和的 shape 相同</translation>
    </message>
    <message>
        <source>both operands of the Add must be sliced alike: they must have one shape</source>
        <translation>Add 的两个操作数必须以相同方式切片：shape 必须相同</translation>
    </message>
    <message>
        <source>both operands of the Add must have one shape</source>
        <translation>Add 的两个操作数必须 shape 相同</translation>
    </message>
    <message>
        <source>both operands of the Add must have one type</source>
        <translation>Add 的两个操作数必须类型相同</translation>
    </message>
    <message>
        <source>both operators must be told the number of heads</source>
        <translation>两个算子都必须给出头数</translation>
    </message>
    <message>
        <source>both products must read their operands the same way</source>
        <translation>两个乘积必须以相同方式读取操作数</translation>
    </message>
    <message>
        <source>both splits must cut q, k and v apart</source>
        <translation>两个 Split 都必须把 q、k、v 切开</translation>
    </message>
    <message>
        <source>both weights must be matrices of one shape</source>
        <translation>两个权重必须是 shape 相同的矩阵</translation>
    </message>
    <message>
        <source>casts there and back are removed by another pass</source>
        <translation>往返的 Cast 由另一个 Pass 移除</translation>
    </message>
    <message>
        <source>channels must be the second axis</source>
        <translation>通道必须是第二轴</translation>
    </message>
    <message>
        <source>chips with combined cores run both products and the gate in one kernel instead</source>
        <translation>核合一的芯片改用一个 kernel 执行两个乘积和门控</translation>
    </message>
    <message>
        <source>cos and sin must broadcast to x</source>
        <translation>cos 与 sin 必须能广播到 x</translation>
    </message>
    <message>
        <source>each border must lie between 0 and 255; they are %1, %2, %3 and %4</source>
        <translation>各边界必须在 0 到 255 之间；现为 %1、%2、%3、%4</translation>
    </message>
    <message>
        <source>factor and shift must have one number for each of the %1 channels; they have %2 and %3</source>
        <translation>factor 与 shift 对 %1 个通道必须各有一个数；现有 %2 和 %3 个</translation>
    </message>
    <message>
        <source>gate and value must be halves of the last axis</source>
        <translation>gate 与 value 必须是最后一轴的两半</translation>
    </message>
    <message>
        <source>gate and value must have one shape</source>
        <translation>gate 与 value 必须 shape 相同</translation>
    </message>
    <message>
        <source>gate and value must have one type</source>
        <translation>gate 与 value 必须类型相同</translation>
    </message>
    <message>
        <source>heads must be the second axis</source>
        <translation>头必须是第二轴</translation>
    </message>
    <message>
        <source>input and result must have one type</source>
        <translation>输入与结果必须类型相同</translation>
    </message>
    <message>
        <source>keys and values must be repeated along a new axis behind the heads</source>
        <translation>键和值必须沿头之后的新轴重复</translation>
    </message>
    <message>
        <source>keys and values must have equal heads and groups</source>
        <translation>键和值的头数与组数必须相等</translation>
    </message>
    <message>
        <source>maximum and sum must run over the last axis and keep it</source>
        <translation>最大值与求和必须沿最后一轴并保留该轴</translation>
    </message>
    <message>
        <source>neither operand may be memory that must stay as it is: a model input or a constant</source>
        <translation>操作数都不能是须保持不变的内存：模型输入或常量</translation>
    </message>
    <message>
        <source>only height and width may be padded</source>
        <translation>只能填充高和宽</translation>
    </message>
    <message>
        <source>q and k must be rotated together and have all the heads</source>
        <translation>q 与 k 必须一起旋转且包含所有头</translation>
    </message>
    <message>
        <source>queries, probabilities and values must not be transposed by their product</source>
        <translation>query、概率和 value 不能被其乘积转置</translation>
    </message>
    <message>
        <source>query, key and value must have equal batch and heads</source>
        <translation>query、key 与 value 的 batch 和头数必须相等</translation>
    </message>
    <message>
        <source>query, key and value need equal ranks of at least 3; they have %1, %2 and %3</source>
        <translation>query、key 与 value 的维数必须相等且不小于 3；现为 %1、%2、%3</translation>
    </message>
    <message>
        <source>rotation and attention must read [batch, tokens, 3, heads, size]</source>
        <translation>旋转与注意力必须读取 [batch, tokens, 3, heads, size]</translation>
    </message>
    <message>
        <source>softmax must run over the keys, the last axis</source>
        <translation>softmax 必须沿键，即最后一轴</translation>
    </message>
    <message>
        <source>the Reshape must keep the last dim</source>
        <translation>Reshape 必须保持最后一维</translation>
    </message>
    <message>
        <source>the attention must give [batch, heads, tokens, size]</source>
        <translation>注意力必须输出 [batch, heads, tokens, size]</translation>
    </message>
    <message>
        <source>the attention must give [batch, tokens, heads, size]</source>
        <translation>注意力必须输出 [batch, tokens, heads, size]</translation>
    </message>
    <message>
        <source>the attention must read [batch, heads, tokens, size]</source>
        <translation>注意力必须读取 [batch, heads, tokens, size]</translation>
    </message>
    <message>
        <source>the attention must read keys as [batch, tokens, heads, size]</source>
        <translation>注意力必须以 [batch, tokens, heads, size] 读取键</translation>
    </message>
    <message>
        <source>the attention must read queries as [batch, heads, tokens, size]</source>
        <translation>注意力必须以 [batch, heads, tokens, size] 读取 query</translation>
    </message>
    <message>
        <source>the attention must read queries as [batch, tokens, heads, size]</source>
        <translation>注意力必须以 [batch, tokens, heads, size] 读取 query</translation>
    </message>
    <message>
        <source>the attention must read values as [batch, heads, tokens, size]</source>
        <translation>注意力必须以 [batch, heads, tokens, size] 读取值</translation>
    </message>
    <message>
        <source>the attention must read values as [batch, tokens, heads, size]</source>
        <translation>注意力必须以 [batch, tokens, heads, size] 读取值</translation>
    </message>
    <message>
        <source>the bias must have one dimension; it has %1</source>
        <translation>bias 必须是一维；现为 %1 维</translation>
    </message>
    <message>
        <source>the bias must have one number for each of the %1 output channels; it has %2</source>
        <translation>bias 对 %1 个输出通道必须各有一个数；现有 %2 个</translation>
    </message>
    <message>
        <source>the bias must have one number for each of the %1 columns; it has %2</source>
        <translation>bias 对 %1 列必须各有一个数；现有 %2 个</translation>
    </message>
    <message>
        <source>the boolean mask must broadcast to the scores</source>
        <translation>布尔掩码必须能广播到 scores</translation>
    </message>
    <message>
        <source>the border must be a constant</source>
        <translation>边界必须是常量</translation>
    </message>
    <message>
        <source>the convolution must have one group</source>
        <translation>卷积必须只有一组</translation>
    </message>
    <message>
        <source>the convolution must state its padding, with channels as second axis</source>
        <translation>卷积必须写明填充，且通道为第二轴</translation>
    </message>
    <message>
        <source>the factor must be one number, or one for each of the %1 output channels; it has %2</source>
        <translation>factor 必须是单个数，或对 %1 个输出通道各一个；现有 %2 个</translation>
    </message>
    <message>
        <source>the gate must be min(max(x / 6 + 1/2, 0), 1)</source>
        <translation>门控必须是 min(max(x / 6 + 1/2, 0), 1)</translation>
    </message>
    <message>
        <source>the gate must be swish with a scale of 1</source>
        <translation>门控必须是系数为 1 的 swish</translation>
    </message>
    <message>
        <source>the groups must be cut out of the channels</source>
        <translation>各组必须从通道中切出</translation>
    </message>
    <message>
        <source>the halves must be joined along the last axis</source>
        <translation>两半必须沿最后一轴拼接</translation>
    </message>
    <message>
        <source>the last two dims must be multiples of 16; they are %1 and %2</source>
        <translation>最后两维必须是 16 的倍数；现为 %1 和 %2</translation>
    </message>
    <message>
        <source>the logarithm must be the natural one</source>
        <translation>对数必须是自然对数</translation>
    </message>
    <message>
        <source>the lower bound %1 must not exceed the upper %2</source>
        <translation>下界 %1 不能大于上界 %2</translation>
    </message>
    <message>
        <source>the mask must broadcast to the scores</source>
        <translation>掩码必须能广播到 scores</translation>
    </message>
    <message>
        <source>the mean must keep its dims</source>
        <translation>均值必须保留维度</translation>
    </message>
    <message>
        <source>the mean must run over the last axis alone</source>
        <translation>均值只能沿最后一轴</translation>
    </message>
    <message>
        <source>the norm must be the last reader of x1; it has %1 readers</source>
        <translation>该 norm 必须是 x1 的最后一个消费者；x1 有 %1 个消费者</translation>
    </message>
    <message>
        <source>the norm must be the last reader of x2; it has %1 readers</source>
        <translation>该 norm 必须是 x2 的最后一个消费者；x2 有 %1 个消费者</translation>
    </message>
    <message>
        <source>the normalisation must be that of inference</source>
        <translation>归一化必须是推理形式</translation>
    </message>
    <message>
        <source>the normalisation must run over the last axis alone</source>
        <translation>归一化只能沿最后一轴</translation>
    </message>
    <message>
        <source>the other operand must follow the slices of the product: it must broadcast to it</source>
        <translation>另一个操作数必须跟随乘积的切片：它必须能广播到乘积</translation>
    </message>
    <message>
        <source>the parameters must have one number for each of the %1 output channels</source>
        <translation>参数对 %1 个输出通道必须各有一个数</translation>
    </message>
    <message>
        <source>the repeated heads must be merged into the axis of heads</source>
        <translation>重复的头必须并入头所在的轴</translation>
    </message>
    <message>
        <source>the reshape must merge heads and head size</source>
        <translation>Reshape 必须合并头数与头维度</translation>
    </message>
    <message>
        <source>the reshape must split the last axis into heads and head size</source>
        <translation>Reshape 必须把最后一轴拆成头数与头维度</translation>
    </message>
    <message>
        <source>the reshape must split the last axis into q, k and v, heads and head size</source>
        <translation>Reshape 必须把最后一轴拆成 q/k/v、头数与头维度</translation>
    </message>
    <message>
        <source>the rotation must be that of halves</source>
        <translation>旋转必须是两半形式</translation>
    </message>
    <message>
        <source>the scale of the scores must be positive; it is %1</source>
        <translation>scores 的缩放系数必须为正；现为 %1</translation>
    </message>
    <message>
        <source>the second cast must lead back to the first type</source>
        <translation>第二个 Cast 必须回到最初的类型</translation>
    </message>
    <message>
        <source>the slices must be the two halves of the last axis</source>
        <translation>切片必须是最后一轴的两半</translation>
    </message>
    <message>
        <source>the split must cut the last axis in two</source>
        <translation>Split 必须把最后一轴切成两份</translation>
    </message>
    <message>
        <source>the split must give the two halves of the last axis</source>
        <translation>Split 必须给出最后一轴的两半</translation>
    </message>
    <message>
        <source>the third version takes floating types only</source>
        <translation>第三版只接受浮点类型</translation>
    </message>
    <message>
        <source>the transpose must bring [batch, tokens, 3, heads, size] to [3, batch, heads, tokens, size]</source>
        <translation>Transpose 必须把 [batch, tokens, 3, heads, size] 变为 [3, batch, heads, tokens, size]</translation>
    </message>
    <message>
        <source>the transpose must bring [batch, tokens, heads, size] into the layout that the attention reads</source>
        <translation>Transpose 必须把 [batch, tokens, heads, size] 变为注意力读取的排布</translation>
    </message>
    <message>
        <source>the transpose must swap heads and tokens</source>
        <translation>Transpose 必须交换头与 token</translation>
    </message>
    <message>
        <source>the type in between must hold all values of the first: %1 bytes after %2</source>
        <translation>中间类型必须容纳最初类型的所有值：%2 字节之后为 %1 字节</translation>
    </message>
    <message>
        <source>the weight must be a matrix, and x must not be transposed</source>
        <translation>权重必须是矩阵，且 x 不能转置</translation>
    </message>
    <message>
        <source>the zero must not widen x</source>
        <translation>零不能扩大 x 的 shape</translation>
    </message>
    <message>
        <source>there must be one boolean mask, which broadcasts to the scores</source>
        <translation>必须有一个能广播到 scores 的布尔掩码</translation>
    </message>
    <message>
        <source>x, cos and sin must have one type</source>
        <translation>x、cos 与 sin 必须类型相同</translation>
    </message>
    <message>
        <source>β must have one number for each of the %1 elements; it has %2</source>
        <translation>β 对 %1 个元素必须各有一个数；现有 %2 个</translation>
    </message>
    <message>
        <source>γ and the result must have one type</source>
        <translation>γ 与结果必须类型相同</translation>
    </message>
    <message>
        <source>γ and β must have one number for each of the %1 elements; they have %2 and %3</source>
        <translation>γ 与 β 对 %1 个元素必须各有一个数；现有 %2 和 %3 个</translation>
    </message>
    <message>
        <source>γ must have one number for each of the %1 elements; it has %2</source>
        <translation>γ 对 %1 个元素必须各有一个数；现有 %2 个</translation>
    </message>
    <message>
        <source>added %1 &apos;%2&apos;</source>
        <translation>新增 %1“%2”</translation>
    </message>
    <message>
        <source>added graph &apos;%1&apos;</source>
        <translation>新增子图“%1”</translation>
    </message>
    <message>
        <source>removed graph %1</source>
        <translation>删除子图 %1</translation>
    </message>
    <message>
        <source>removed %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>input %1 ← %2</source>
        <translation>输入 %1 ← %2</translation>
    </message>
    <message>
        <source>input %1 no longer reads %2</source>
        <translation>输入 %1 不再读取 %2</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>no longer waits for %1</source>
        <translation>不再等待 %1</translation>
    </message>
    <message>
        <source>input %1: %2</source>
        <translation>输入 %1：%2</translation>
    </message>
    <message>
        <source>output %1: %2</source>
        <translation>输出 %1：%2</translation>
    </message>
    <message>
        <source>new input %1 &apos;%2&apos; %3</source>
        <translation>新增输入 %1“%2”%3</translation>
    </message>
    <message>
        <source>input %1 &apos;%2&apos; removed</source>
        <translation>删除输入 %1“%2”</translation>
    </message>
    <message>
        <source>new output %1 &apos;%2&apos; %3</source>
        <translation>新增输出 %1“%2”%3</translation>
    </message>
    <message>
        <source>output %1 &apos;%2&apos; removed</source>
        <translation>删除输出 %1“%2”</translation>
    </message>
    <message>
        <source>attribute %1 removed</source>
        <translation>删除属性 %1</translation>
    </message>
    <message>
        <source>attribute %1 = %2</source>
        <translation>属性 %1 = %2</translation>
    </message>
    <message>
        <source>attribute %1: %2 → %3</source>
        <translation>属性 %1：%2 → %3</translation>
    </message>
    <message>
        <source>renamed &apos;%1&apos; → &apos;%2&apos;</source>
        <translation>改名“%1”→“%2”</translation>
    </message>
    <message>
        <source>type %1 → %2</source>
        <translation>类型 %1 → %2</translation>
    </message>
    <message>
        <source>placed on %1</source>
        <translation>分配到 %1</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>memory offsets assigned</source>
        <translation>已分配内存偏移</translation>
    </message>
    <message>
        <source>moved after %1</source>
        <translation>移到 %1 之后</translation>
    </message>
    <message>
        <source>moved to the front</source>
        <translation>移到最前</translation>
    </message>
    <message>
        <source>graph %1: %2 nodes in a new order</source>
        <translation>图 %1：%2 个节点重新排序</translation>
    </message>
    <message>
        <source>graph %1: outputs %2 → %3</source>
        <translation>图 %1：输出 %2 → %3</translation>
    </message>
    <message>
        <source>graph %1: %2</source>
        <translation>图 %1：%2</translation>
    </message>
    <message>
        <source>%1 → %2 bytes reserved</source>
        <translation>预留 %1 → %2 字节</translation>
    </message>
    <message>
        <source>origin %1 → %2</source>
        <translation>来源 %1 → %2</translation>
    </message>
    <message>
        <source>named &apos;%1&apos;</source>
        <translation>名为“%1”</translation>
    </message>
    <message>
        <source>descriptor attributes</source>
        <translation>描述属性</translation>
    </message>
    <message>
        <source>feeds several model outputs, so it cannot be the user&apos;s memory and is never released</source>
        <translation>同时供给多个模型输出，因此不能使用用户的内存，且从不释放</translation>
    </message>
    <message>
        <source>takes the place of &apos;%1&apos;</source>
        <translation>占用“%1”的位置</translation>
    </message>
    <message>
        <source>part of &apos;%1&apos;</source>
        <translation>“%1”的一部分</translation>
    </message>
    <message>
        <source>a tile in and out, twice</source>
        <translation>输入、输出分块各两份</translation>
    </message>
    <message>
        <source>both result tiles in fp32</source>
        <translation>两块 fp32 结果分块</translation>
    </message>
    <message>
        <source>key and value tiles, twice</source>
        <translation>键、值分块各两份</translation>
    </message>
    <message>
        <source>operand tiles</source>
        <translation>操作数分块</translation>
    </message>
    <message>
        <source>query tile</source>
        <translation>查询分块</translation>
    </message>
    <message>
        <source>row in fp32</source>
        <translation>一行 fp32</translation>
    </message>
    <message>
        <source>row maxima and sums</source>
        <translation>行最大值与行和</translation>
    </message>
    <message>
        <source>score rows</source>
        <translation>分数行</translation>
    </message>
    <message>
        <source>score tile</source>
        <translation>分数分块</translation>
    </message>
    <message>
        <source>two rows in fp32</source>
        <translation>两行 fp32</translation>
    </message>
    <message>
        <source>γ and β in fp32</source>
        <translation>fp32 的 γ 和 β</translation>
    </message>
    <message>
        <source>γ in fp32</source>
        <translation>fp32 的 γ</translation>
    </message>
    <message>
        <source>some tensors have no known size; the plan leaves them out (set shapes with --set)</source>
        <translation>部分 Tensor 大小未知，内存规划未包含它们（用 --set 指定 shape）</translation>
    </message>
    <message>
        <source>feature map, weights and model inputs and outputs together are larger than the device memory</source>
        <translation>特征图、权重与模型输入输出之和超出显存</translation>
    </message>
    <message>
        <source>the streams need %1 events, the device has %2</source>
        <translation>各流需要 %1 个 Event，设备只有 %2 个</translation>
    </message>
    <message>
        <source>some nodes were not folded because their weights are not in the file</source>
        <translation>部分节点的权重不在文件中，未做常量折叠</translation>
    </message>
    <message>
        <source>the nodes of the file were not in topological order: sorted</source>
        <translation>文件中的节点未按拓扑顺序排列：已排序</translation>
    </message>
    <message>
        <source>the graph has no nodes: its outputs are its inputs or constants</source>
        <translation>图中没有节点：其输出就是输入或常量</translation>
    </message>
    <message>
        <source>opset %1 is newer than the %2 that this program knows</source>
        <translation>opset %1 比本程序支持的 %2 更新</translation>
    </message>
    <message>
        <source>IR version %1 is newer than the %2 that this program knows</source>
        <translation>IR 版本 %1 比本程序支持的 %2 更新</translation>
    </message>
    <message>
        <source>the model states no opset: taken for opset 1</source>
        <translation>模型未声明 opset：按 opset 1 处理</translation>
    </message>
    <message>
        <source>external data &apos;%1&apos; is missing: %2 weights (%3 bytes) have a shape and a type, but no values</source>
        <translation>外部数据“%1”缺失：%2 个权重（%3 字节）有 shape 和类型，但没有数值</translation>
    </message>
    <message>
        <source>external data &apos;%1&apos; is missing: %2 weight (%3 bytes) has a shape and a type, but no values</source>
        <translation>外部数据“%1”缺失：%2 个权重（%3 字节）有 shape 和类型，但没有数值</translation>
    </message>
    <message>
        <source>operator %1 is not known: %2 node is shown as it is, and what must know it is refused</source>
        <translation>未知算子 %1：%2 个节点按原样显示，依赖其定义的操作会被拒绝</translation>
    </message>
    <message>
        <source>operator %1 is not known: %2 nodes are shown as they are, and what must know them is refused</source>
        <translation>未知算子 %1：%2 个节点按原样显示，依赖其定义的操作会被拒绝</translation>
    </message>
    <message>
        <source>%1 waits are for events that no task records</source>
        <translation>%1 处等待的 Event 没有任何 Task 记录</translation>
    </message>
    <message>
        <source>%1 of %2 operators of the OM name operators of the attached model as their origin</source>
        <translation>OM 的 %2 个算子中有 %1 个以所附模型的算子为来源</translation>
    </message>
    <message>
        <source>no such folder</source>
        <translation>没有此文件夹</translation>
    </message>
    <message>
        <source>no such file</source>
        <translation>没有此文件</translation>
    </message>
    <message>
        <source>cannot list the folder: %1</source>
        <translation>无法列出文件夹内容：%1</translation>
    </message>
    <message>
        <source>more than %1 files</source>
        <translation>文件超过 %1 个</translation>
    </message>
    <message>
        <source>no GE dump inside (ge_proto_*.txt, ge_onnx_*.pbtxt, ge_readable_*.txt)</source>
        <translation>其中没有 GE 的 dump 图（ge_proto_*.txt、ge_onnx_*.pbtxt、ge_readable_*.txt）</translation>
    </message>
    <message>
        <source>the phase has no file</source>
        <translation>该阶段没有文件</translation>
    </message>
    <message>
        <source>the file is damaged: %1; the %2 nodes before that are shown</source>
        <translation>文件已损坏：%1；显示此前的 %2 个节点</translation>
    </message>
    <message>
        <source>%1 constants have no values in this file</source>
        <translation>此文件中有 %1 个常量没有数值</translation>
    </message>
    <message>
        <source>the model has no input &apos;%1&apos;</source>
        <translation>模型没有输入“%1”</translation>
    </message>
    <message>
        <source>the model has no input &apos;%1&apos;; it has %2</source>
        <translation>模型没有输入“%1”；它的输入有：%2</translation>
    </message>
    <message>
        <source>the input &apos;%1&apos; has %2 dimensions %3, not %4</source>
        <translation>输入“%1”有 %2 个维度 %3，而不是 %4 个</translation>
    </message>
    <message>
        <source>the input &apos;%1&apos; has the shape %2: dimension %3 cannot be %4</source>
        <translation>输入“%1”的 shape 为 %2：第 %3 维不能是 %4</translation>
    </message>
    <message>
        <source>more than %1 nodes</source>
        <translation>节点超过 %1 个</translation>
    </message>
    <message>
        <source>node &apos;%1&apos;: the input &apos;%2&apos; is no &apos;node:index&apos;</source>
        <translation>节点“%1”：输入“%2”不是“节点:序号”的形式</translation>
    </message>
    <message>
        <source>a node of type &apos;%1&apos; has no name</source>
        <translation>有一个类型为“%1”的节点没有名称</translation>
    </message>
    <message>
        <source>two operators are named &apos;%1&apos;; the second is shown as &apos;%2&apos;</source>
        <translation>有两个算子都叫“%1”；第二个显示为“%2”</translation>
    </message>
    <message>
        <source>two graphs are named &apos;%1&apos;</source>
        <translation>有两张图都叫“%1”</translation>
    </message>
    <message>
        <source>node &apos;%1&apos; reads &apos;%2:%3&apos;, which is not in the graph</source>
        <translation>节点“%1”读取“%2:%3”，图中没有它</translation>
    </message>
    <message>
        <source>node &apos;%1&apos; reads output %2 of &apos;%3&apos;</source>
        <translation>节点“%1”读取“%3”的输出 %2</translation>
    </message>
    <message>
        <source>the recorded output &apos;%1&apos; is not in the graph</source>
        <translation>记录的输出“%1”不在图中</translation>
    </message>
    <message>
        <source>the sub-graph &apos;%1&apos; is not in the file</source>
        <translation>文件中没有子图“%1”</translation>
    </message>
    <message>
        <source>the sub-graph &apos;%1&apos; has more than one owner</source>
        <translation>子图“%1”的所属节点不止一个</translation>
    </message>
    <message>
        <source>no node owns the graph &apos;%1&apos;</source>
        <translation>图“%1”不属于任何节点</translation>
    </message>
    <message>
        <source>no graph inside</source>
        <translation>其中没有图</translation>
    </message>
    <message>
        <source>the model definition is larger than 2 GiB</source>
        <translation>模型定义超过 2 GiB</translation>
    </message>
    <message>
        <source>the model definition would be larger than 2 GiB</source>
        <translation>模型定义将超过 2 GiB</translation>
    </message>
    <message>
        <source>the model definition is no protobuf message</source>
        <translation>模型定义不是 protobuf 消息</translation>
    </message>
    <message>
        <source>the model is larger than 2 GiB</source>
        <translation>模型超过 2 GiB</translation>
    </message>
    <message>
        <source>no &apos;graph(&quot;…&quot;):&apos; line</source>
        <translation>没有“graph(&quot;…&quot;):”这一行</translation>
    </message>
    <message>
        <source>line %1 stands before any &apos;graph(&quot;…&quot;):&apos;</source>
        <translation>第 %1 行出现在所有“graph(&quot;…&quot;):”之前</translation>
    </message>
    <message>
        <source>entry %1 is no node and was left out</source>
        <translation>第 %1 项不是节点，已略过</translation>
    </message>
    <message>
        <source>entry %1 claims %2 outputs, more than the text has lines for; %3 were kept</source>
        <translation>第 %1 项声称有 %2 个输出，超出文本所含的行数；保留了 %3 个</translation>
    </message>
    <message>
        <source>too many graphs</source>
        <translation>图过多</translation>
    </message>
    <message>
        <source>&apos;%1&apos; reads &apos;%%2&apos;, which is not in the listing</source>
        <translation>“%1”读取“%%2”，清单中没有它</translation>
    </message>
    <message>
        <source>the graph &apos;%1&apos; has a cycle: %2</source>
        <translation>图“%1”中有环：%2</translation>
    </message>
    <message>
        <source>the graph has a cycle</source>
        <translation>图中有环</translation>
    </message>
    <message>
        <source>the nodes form a cycle: %1</source>
        <translation>节点形成环：%1</translation>
    </message>
    <message>
        <source>cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>cannot be opened: %1</source>
        <translation>无法打开：%1</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>cannot be mapped</source>
        <translation>无法映射到内存</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>is a folder, not a file</source>
        <translation>是文件夹，不是文件</translation>
    </message>
    <message>
        <source>is not a regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>has %1 bytes, more than the limit of %2</source>
        <translation>有 %1 字节，超过上限 %2</translation>
    </message>
    <message>
        <source>cannot be decoded</source>
        <translation>无法解码</translation>
    </message>
    <message>
        <source>a PNG picture</source>
        <translation>PNG 图片</translation>
    </message>
    <message>
        <source>a JPEG picture</source>
        <translation>JPEG 图片</translation>
    </message>
    <message>
        <source>a GIF picture</source>
        <translation>GIF 图片</translation>
    </message>
    <message>
        <source>a ZIP archive</source>
        <translation>ZIP 压缩包</translation>
    </message>
    <message>
        <source>an OM2 model, a ZIP archive that this program does not open</source>
        <translation>OM2 模型（ZIP 压缩包，本程序不能打开）</translation>
    </message>
    <message>
        <source>an OM of HiSilicon&apos;s SVP chips, which is another format</source>
        <translation>海思 SVP 芯片的 OM 文件（另一种格式）</translation>
    </message>
    <message>
        <source>a gzip archive</source>
        <translation>gzip 压缩包</translation>
    </message>
    <message>
        <source>a 7z archive</source>
        <translation>7z 压缩包</translation>
    </message>
    <message>
        <source>an xz archive</source>
        <translation>xz 压缩包</translation>
    </message>
    <message>
        <source>a bzip2 archive</source>
        <translation>bzip2 压缩包</translation>
    </message>
    <message>
        <source>a zstd archive</source>
        <translation>zstd 压缩包</translation>
    </message>
    <message>
        <source>a tar archive</source>
        <translation>tar 包</translation>
    </message>
    <message>
        <source>an ELF program or library</source>
        <translation>ELF 程序或库</translation>
    </message>
    <message>
        <source>a PDF document</source>
        <translation>PDF 文档</translation>
    </message>
    <message>
        <source>an ORT-format model</source>
        <translation>ORT 格式的模型</translation>
    </message>
    <message>
        <source>a TensorFlow Lite model</source>
        <translation>TensorFlow Lite 模型</translation>
    </message>
    <message>
        <source>a GGUF model</source>
        <translation>GGUF 模型</translation>
    </message>
    <message>
        <source>a NumPy array</source>
        <translation>NumPy 数组</translation>
    </message>
    <message>
        <source>an HDF5 file</source>
        <translation>HDF5 文件</translation>
    </message>
    <message>
        <source>a core dump</source>
        <translation>core dump 文件</translation>
    </message>
    <message>
        <source>an OM model</source>
        <translation>OM 模型</translation>
    </message>
    <message>
        <source>a graph in text form</source>
        <translation>文本形式的图</translation>
    </message>
    <message>
        <source>JSON that holds no GE model</source>
        <translation>不含 GE 模型的 JSON</translation>
    </message>
    <message>
        <source>not an ONNX file: it looks like %1</source>
        <translation>不是 ONNX 文件：看起来是 %1</translation>
    </message>
    <message>
        <source>not an OM file (it does not begin with IMOD), nor any other model</source>
        <translation>不是 OM 文件（不以 IMOD 开头），也不是其他模型</translation>
    </message>
    <message>
        <source>no reader is called &apos;%1&apos;; known are %2</source>
        <translation>没有名为“%1”的读取方式；可用的有 %2</translation>
    </message>
    <message>
        <source>ONNX model</source>
        <translation>ONNX 模型</translation>
    </message>
    <message>
        <source>ONNX model as text</source>
        <translation>文本形式的 ONNX 模型</translation>
    </message>
    <message>
        <source>GE model as JSON</source>
        <translation>JSON 形式的 GE 模型</translation>
    </message>
    <message>
        <source>the OM header is cut: %1 of %2 bytes</source>
        <translation>OM 文件头不完整：%2 字节中只有 %1 字节</translation>
    </message>
    <message>
        <source>not an OM file: the magic number at byte 0 is wrong</source>
        <translation>不是 OM 文件：字节 0 处的魔数不对</translation>
    </message>
    <message>
        <source>the file claims %1 models (byte %2)</source>
        <translation>文件声称有 %1 个模型（字节 %2）</translation>
    </message>
    <message>
        <source>the header claims %1 models, the file holds %2</source>
        <translation>文件头声称有 %1 个模型，文件中有 %2 个</translation>
    </message>
    <message>
        <source>%1 bytes after the last partition (byte %2) belong to no model</source>
        <translation>最后一个分区之后的 %1 字节（字节 %2）不属于任何模型</translation>
    </message>
    <message>
        <source>the header claims %1 bytes (byte %2)</source>
        <translation>文件头声称有 %1 字节（字节 %2）</translation>
    </message>
    <message>
        <source>the model is encrypted (byte %1): it cannot be shown</source>
        <translation>模型已加密（字节 %1）：无法显示</translation>
    </message>
    <message>
        <source>the header claims a model of %1 bytes (byte %2), %3 follow: the file is cut</source>
        <translation>文件头声称模型有 %1 字节（字节 %2），其后只有 %3 字节：文件不完整</translation>
    </message>
    <message>
        <source>the header states no length</source>
        <translation>文件头没有给出长度</translation>
    </message>
    <message>
        <source>%1 bytes follow the model (byte %2)</source>
        <translation>模型之后还有 %1 字节（字节 %2）</translation>
    </message>
    <message>
        <source>the partition table is cut (byte %1)</source>
        <translation>分区表不完整（字节 %1）</translation>
    </message>
    <message>
        <source>no partition: the table at byte %1 is empty, there is no model inside</source>
        <translation>没有分区：字节 %1 处的分区表为空，其中没有模型</translation>
    </message>
    <message>
        <source>the partition count %1 at byte %2 does not fit the file</source>
        <translation>字节 %2 处的分区数 %1 与文件不符</translation>
    </message>
    <message>
        <source>partition %1 is not where the sizes before it put it (byte %2)</source>
        <translation>分区 %1 不在按前面各分区大小推出的位置（字节 %2）</translation>
    </message>
    <message>
        <source>partition %1 (%2 bytes at offset %3, table entry at byte %4) lies past the end of the file</source>
        <translation>分区 %1（偏移 %3 处 %2 字节，表项位于字节 %4）超出文件末尾</translation>
    </message>
    <message>
        <source>damaged at byte %1: lies past the end of the file</source>
        <translation>字节 %1 处损坏：超出文件末尾</translation>
    </message>
    <message>
        <source>damaged at byte %1: %2</source>
        <translation>字节 %1 处损坏：%2</translation>
    </message>
    <message>
        <source>the plan in the file is of another version</source>
        <translation>文件中的执行计划是其他版本</translation>
    </message>
    <message>
        <source>the plan in the file is damaged</source>
        <translation>文件中的执行计划已损坏</translation>
    </message>
    <message>
        <source>the plan in the file is no bundle of attributes</source>
        <translation>文件中的执行计划不是一组属性</translation>
    </message>
    <message>
        <source>partition %1 is damaged at byte %2: %3</source>
        <translation>分区 %1 在字节 %2 处损坏：%3</translation>
    </message>
    <message>
        <source>no MODEL_DEF partition: there is no graph inside</source>
        <translation>没有 MODEL_DEF 分区：其中没有图</translation>
    </message>
    <message>
        <source>model %1 has no MODEL_DEF partition</source>
        <translation>模型 %1 没有 MODEL_DEF 分区</translation>
    </message>
    <message>
        <source>the MODEL_DEF partition is larger than 2 GiB</source>
        <translation>MODEL_DEF 分区超过 2 GiB</translation>
    </message>
    <message>
        <source>partition %1 (byte %2, %3 bytes) is no protobuf message</source>
        <translation>分区 %1（字节 %2，%3 字节）不是 protobuf 消息</translation>
    </message>
    <message>
        <source>more than %1 graphs</source>
        <translation>图多于 %1 个</translation>
    </message>
    <message>
        <source>the task list has more than %1 tasks</source>
        <translation>Task 列表中的 Task 多于 %1 个</translation>
    </message>
    <message>
        <source>%1 attribute names are not in the file&apos;s dictionary</source>
        <translation>有 %1 个属性名不在文件的字典中</translation>
    </message>
    <message>
        <source>%1 MODEL_DEF partitions: the first one is shown</source>
        <translation>有 %1 个 MODEL_DEF 分区：显示第一个</translation>
    </message>
    <message>
        <source>model %1 (&apos;%2&apos;) is no sub-graph of the first one</source>
        <translation>模型 %1（“%2”）不是第一个模型的子图</translation>
    </message>
    <message>
        <source>no kernel begins here</source>
        <translation>此处不是 kernel 的开头</translation>
    </message>
    <message>
        <source>a kernel runs past the end of the partition</source>
        <translation>有一个 kernel 超出分区末尾</translation>
    </message>
    <message>
        <source>no protobuf message</source>
        <translation>不是 protobuf 消息</translation>
    </message>
    <message>
        <source>OM files are nested too deep</source>
        <translation>OM 文件嵌套过深</translation>
    </message>
    <message>
        <source>no readable model in the bundle</source>
        <translation>包中没有可读取的模型</translation>
    </message>
    <message>
        <source>constant &apos;%1&apos; has %2 bytes, its shape needs %3: its values are left out</source>
        <translation>常量“%1”有 %2 字节，按 shape 需要 %3 字节：不显示其数值</translation>
    </message>
    <message>
        <source>it holds %1 tasks on %2 streams and %3 bytes of planned memory</source>
        <translation>它有 %1 个 Task、%2 条流，规划了 %3 字节内存</translation>
    </message>
    <message>
        <source>it holds %1 tasks on %2 stream and %3 bytes of planned memory</source>
        <translation>它有 %1 个 Task、%2 条流，规划了 %3 字节内存</translation>
    </message>
    <message>
        <source>%1; some shapes are only known at run time</source>
        <translation>%1；有些 shape 要到运行时才知道</translation>
    </message>
    <message>
        <source>%1; addresses are taken from the operators</source>
        <translation>%1；地址取自算子</translation>
    </message>
    <message>
        <source>the task list is no protobuf message</source>
        <translation>Task 列表不是 protobuf 消息</translation>
    </message>
    <message>
        <source>cannot write the file</source>
        <translation>无法写入文件</translation>
    </message>
    <message>
        <source>the file cannot be written: a name in operator %1 of %2, or its own, is no UTF-8 text</source>
        <translation>无法写入文件：第 %1 个算子（共 %2 个）的名称或其中的名称不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>the file cannot be written: a name in the graph is no UTF-8 text</source>
        <translation>无法写入文件：图中有名称不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>the file cannot be written: task %1 (&apos;%2&apos;) belongs to no operator</source>
        <translation>无法写入文件：Task %1（“%2”）不属于任何算子</translation>
    </message>
    <message>
        <source>the file cannot be written: task %1 is of operator &apos;%2&apos; in the sub-graph &apos;%3&apos;, and only tasks of the outermost graph can be kept</source>
        <translation>无法写入文件：Task %1 属于子图“%3”中的算子“%2”，只能保存最外层图的 Task</translation>
    </message>
    <message>
        <source>external data &apos;%1&apos; %2: not read</source>
        <translation>外部数据“%1”%2：未读取</translation>
    </message>
    <message>
        <source>is not a file name</source>
        <translation>不是文件名</translation>
    </message>
    <message>
        <source>is an absolute path</source>
        <translation>是绝对路径</translation>
    </message>
    <message>
        <source>lies outside the model&apos;s folder</source>
        <translation>位于模型所在文件夹之外</translation>
    </message>
    <message>
        <source>the model&apos;s folder cannot be opened: %1</source>
        <translation>无法打开模型所在的文件夹：%1</translation>
    </message>
    <message>
        <source>is a symbolic link out of the model&apos;s folder</source>
        <translation>是指向模型所在文件夹之外的符号链接</translation>
    </message>
    <message>
        <source>is a symbolic link</source>
        <translation>是符号链接</translation>
    </message>
    <message>
        <source>external data &apos;%1&apos; cannot be opened: %2</source>
        <translation>无法打开外部数据“%1”：%2</translation>
    </message>
    <message>
        <source>function %1 has a default attribute that cannot be decoded</source>
        <translation>函数 %1 有一个无法解码的默认属性</translation>
    </message>
    <message>
        <source>function %1 is defined twice</source>
        <translation>函数 %1 定义了两次</translation>
    </message>
    <message>
        <source>function %1 calls itself</source>
        <translation>函数 %1 调用了自身</translation>
    </message>
    <message>
        <source>function %1 calls others more than %2 levels deep</source>
        <translation>函数 %1 的调用嵌套超过 %2 层</translation>
    </message>
    <message>
        <source>the input &apos;%1&apos; has the unknown data type %2</source>
        <translation>输入“%1”的数据类型 %2 未知</translation>
    </message>
    <message>
        <source>the input &apos;%1&apos; is declared twice</source>
        <translation>输入“%1”声明了两次</translation>
    </message>
    <message>
        <source>the input &apos;%1&apos; cannot have the dimension %2</source>
        <translation>输入“%1”不能有维度 %2</translation>
    </message>
    <message>
        <source>the input &apos;%1&apos; has the fixed shape %2: dimension %3 cannot be %4</source>
        <translation>输入“%1”的 shape 固定为 %2：第 %3 维不能是 %4</translation>
    </message>
    <message>
        <source>the dimension &apos;%1&apos; cannot be %2</source>
        <translation>维度“%1”不能是 %2</translation>
    </message>
    <message>
        <source>no input of the model has a dimension &apos;%1&apos;</source>
        <translation>模型的输入都没有维度“%1”</translation>
    </message>
    <message>
        <source>an initialiser has no name</source>
        <translation>有一个 initializer 没有名称</translation>
    </message>
    <message>
        <source>the initialiser &apos;%1&apos; is defined twice</source>
        <translation>initializer“%1”定义了两次</translation>
    </message>
    <message>
        <source>the graph output &apos;%1&apos; is produced by nothing</source>
        <translation>没有节点产生图的输出“%1”</translation>
    </message>
    <message>
        <source>the model&apos;s functions expand to %1 nodes, more than the limit of %2</source>
        <translation>模型的函数展开为 %1 个节点，超过上限 %2</translation>
    </message>
    <message>
        <source>%1 nodes have the name of another (&apos;%2&apos;): told apart by a number</source>
        <translation>有 %1 个节点与其他节点重名（“%2”）：以编号区分</translation>
    </message>
    <message>
        <source>%1 node has the name of another (&apos;%2&apos;): told apart by a number</source>
        <translation>有 %1 个节点与其他节点重名（“%2”）：以编号区分</translation>
    </message>
    <message>
        <source>the graph has more than the limit of %1 nodes</source>
        <translation>图的节点数超过上限 %1</translation>
    </message>
    <message>
        <source>the value &apos;%1&apos; is produced twice (again by %2)</source>
        <translation>值“%1”被产生了两次（另一次由 %2）</translation>
    </message>
    <message>
        <source>the value &apos;%1&apos; is produced twice (by %2 and %3)</source>
        <translation>值“%1”被产生了两次（由 %2 和 %3）</translation>
    </message>
    <message>
        <source>the node name &apos;%1&apos; is not valid UTF-8</source>
        <translation>节点名“%1”不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>several Constant nodes give &apos;%1&apos;: the last one counts</source>
        <translation>有多个 Constant 节点给出“%1”：以最后一个为准</translation>
    </message>
    <message>
        <source>node &apos;%1&apos; (Constant): %2</source>
        <translation>节点“%1”(Constant)：%2</translation>
    </message>
    <message>
        <source>it must have one output</source>
        <translation>必须有一个输出</translation>
    </message>
    <message>
        <source>the constant &apos;%1&apos; has no value</source>
        <translation>常量“%1”没有数值</translation>
    </message>
    <message>
        <source>sub-graphs and functions are nested too deep</source>
        <translation>子图和函数嵌套过深</translation>
    </message>
    <message>
        <source>node &apos;%1&apos;: function %2 has %3 inputs and %4 outputs, fewer than the call</source>
        <translation>节点“%1”：函数 %2 有 %3 个输入和 %4 个输出，少于调用处</translation>
    </message>
    <message>
        <source>node &apos;%1&apos; needs &apos;%2&apos;, which nothing produces</source>
        <translation>节点“%1”需要“%2”，但没有节点产生它</translation>
    </message>
    <message>
        <source>function %1 does not produce its output &apos;%2&apos;</source>
        <translation>函数 %1 没有产生它的输出“%2”</translation>
    </message>
    <message>
        <source>the model states no opset for the standard operators that it uses: taken for %1</source>
        <translation>模型使用了标准算子但没有声明 opset：按 %1 处理</translation>
    </message>
    <message>
        <source>node &apos;%1&apos; (If): %2 declares inputs of its own, but a branch has none: it reads outer values by their names</source>
        <translation>节点“%1”(If)：%2 声明了自己的输入，但分支没有输入：它按名称读取外层的值</translation>
    </message>
    <message>
        <source>approximate &quot;%1&quot; is neither none nor tanh</source>
        <translation>approximate &quot;%1&quot; 既不是 none 也不是 tanh</translation>
    </message>
    <message>
        <source>axis %1 does not exist</source>
        <translation>轴 %1 不存在</translation>
    </message>
    <message>
        <source>axis %1 does not exist in %2</source>
        <translation>%2 中没有轴 %1</translation>
    </message>
    <message>
        <source>axis %1 does not fit</source>
        <translation>轴 %1 不合适</translation>
    </message>
    <message>
        <source>input %1 is missing</source>
        <translation>缺少输入 %1</translation>
    </message>
    <message>
        <source>broadcasting at an axis of a tensor of unknown rank</source>
        <translation>在维数未知的 Tensor 的某个轴上广播</translation>
    </message>
    <message>
        <source>direction &quot;%1&quot; is neither LEFT nor RIGHT</source>
        <translation>direction &quot;%1&quot; 既不是 LEFT 也不是 RIGHT</translation>
    </message>
    <message>
        <source>attribute &apos;to&apos; names no known data type</source>
        <translation>属性“to”给出的不是已知的数据类型</translation>
    </message>
    <message>
        <source>output &apos;mean&apos; is not made</source>
        <translation>不产生输出“mean”</translation>
    </message>
    <message>
        <source>batch axes of a tensor of unknown rank cannot be moved</source>
        <translation>维数未知的 Tensor 无法移动 batch 轴</translation>
    </message>
    <message>
        <source>only two spatial axes are supported</source>
        <translation>只支持两个空间轴</translation>
    </message>
    <message>
        <source>activation &apos;%1&apos; is not supported</source>
        <translation>不支持激活函数“%1”</translation>
    </message>
    <message>
        <source>channels_last is not supported</source>
        <translation>不支持 channels_last</translation>
    </message>
    <message>
        <source>the old softmax of a tensor of unknown rank</source>
        <translation>维数未知的 Tensor 上的旧式 softmax</translation>
    </message>
    <message>
        <source>inputs do not come in threes</source>
        <translation>输入不是三个一组</translation>
    </message>
    <message>
        <source>%1 spatial axes are not supported</source>
        <translation>不支持 %1 个空间轴</translation>
    </message>
    <message>
        <source>attribute &apos;%1&apos; has %2 entries for %3 spatial axes</source>
        <translation>属性“%1”有 %2 项，空间轴有 %3 个</translation>
    </message>
    <message>
        <source>attribute &apos;equation&apos; is missing</source>
        <translation>缺少属性“equation”</translation>
    </message>
    <message>
        <source>needs at least one input</source>
        <translation>至少需要一个输入</translation>
    </message>
    <message>
        <source>kernel_shape %1 differs from the weight %2</source>
        <translation>kernel_shape %1 与权重 %2 不一致</translation>
    </message>
    <message>
        <source>index %1 lies outside the %2 entries of axis %3</source>
        <translation>索引 %1 超出轴 %3 的 %2 项</translation>
    </message>
    <message>
        <source>the reduction &apos;%1&apos; is not known</source>
        <translation>未知的归约“%1”</translation>
    </message>
    <message>
        <source>has no outputs</source>
        <translation>没有输出</translation>
    </message>
    <message>
        <source>num_outputs is not the number of outputs, %1</source>
        <translation>num_outputs 与输出个数 %1 不一致</translation>
    </message>
    <message>
        <source>starts, ends and axes have different lengths</source>
        <translation>starts、ends 与 axes 的长度不同</translation>
    </message>
    <message>
        <source>pads of some axes need an input of known rank</source>
        <translation>只填充部分轴时，输入的维数必须已知</translation>
    </message>
    <message>
        <source>pads and axes do not fit</source>
        <translation>pads 与 axes 不匹配</translation>
    </message>
    <message>
        <source>axis %1 does not exist in a tensor of rank %2</source>
        <translation>%2 维的 Tensor 没有轴 %1</translation>
    </message>
    <message>
        <source>the pads are no pairs</source>
        <translation>pads 不成对</translation>
    </message>
    <message>
        <source>the value must have one element</source>
        <translation>值必须只有一个元素</translation>
    </message>
    <message>
        <source>the form of opset 1, with one tile and axis</source>
        <translation>opset 1 的形式，只有一个 tile 和 axis</translation>
    </message>
    <message>
        <source>statistics for each element instead of each channel</source>
        <translation>统计量按元素而不是按通道给出</translation>
    </message>
    <message>
        <source>num_groups is not positive</source>
        <translation>num_groups 不是正数</translation>
    </message>
    <message>
        <source>an axis from the front of a tensor of unknown rank</source>
        <translation>维数未知的 Tensor 的从前数的轴</translation>
    </message>
    <message>
        <source>the scale has more dims than are normalised</source>
        <translation>scale 的维数多于被归一化的维数</translation>
    </message>
    <message>
        <source>size is not positive</source>
        <translation>size 不是正数</translation>
    </message>
    <message>
        <source>p is %1, not 1 or 2</source>
        <translation>p 为 %1，而不是 1 或 2</translation>
    </message>
    <message>
        <source>attribute &apos;kernel_shape&apos; is missing</source>
        <translation>缺少属性“kernel_shape”</translation>
    </message>
    <message>
        <source>attribute &apos;pooled_shape&apos; needs two entries</source>
        <translation>属性“pooled_shape”需要两项</translation>
    </message>
    <message>
        <source>attribute &apos;hidden_size&apos; is missing</source>
        <translation>缺少属性“hidden_size”</translation>
    </message>
    <message>
        <source>fewer outputs than values that go round</source>
        <translation>输出少于循环传递的值</translation>
    </message>
    <message>
        <source>sequence lengths of Scan-8</source>
        <translation>Scan-8 的序列长度</translation>
    </message>
    <message>
        <source>inputs and outputs do not fit num_scan_inputs</source>
        <translation>输入和输出与 num_scan_inputs 不匹配</translation>
    </message>
    <message>
        <source>node &apos;%1&apos; (%2): %3</source>
        <translation>节点“%1”(%2)：%3</translation>
    </message>
    <message>
        <source>node &apos;%1&apos;: %2</source>
        <translation>节点“%1”：%2</translation>
    </message>
    <message>
        <source>the sub-graph &apos;%1&apos; is missing</source>
        <translation>缺少子图“%1”</translation>
    </message>
    <message>
        <source>node &apos;%1&apos; (%2): output %3 is not supported</source>
        <translation>节点“%1”(%2)：不支持输出 %3</translation>
    </message>
    <message>
        <source>more than 2 GiB of structure: not an ONNX file that protobuf can hold</source>
        <translation>结构部分超过 2 GiB：不是 protobuf 能容纳的 ONNX 文件</translation>
    </message>
    <message>
        <source>damaged: %1 at byte %2 cannot be decoded</source>
        <translation>已损坏：字节 %2 处的 %1 无法解码</translation>
    </message>
    <message>
        <source>opset %1 of the domain &apos;%2&apos; makes no sense</source>
        <translation>域“%2”的 opset %1 没有意义</translation>
    </message>
    <message>
        <source>the model states no opset</source>
        <translation>模型没有声明 opset</translation>
    </message>
    <message>
        <source>a tensor without a name</source>
        <translation>没有名称的 Tensor</translation>
    </message>
    <message>
        <source>%1 has %2 %3, its shape needs %4</source>
        <translation>%1 有 %2 %3，按 shape 需要 %4</translation>
    </message>
    <message>
        <source>%1: external data has the %2 &apos;%3&apos;, which is no position in a file</source>
        <translation>%1：外部数据的 %2 为“%3”，不是文件中的位置</translation>
    </message>
    <message>
        <source>%1 has a negative dimension (%2)</source>
        <translation>%1 有负的维度 (%2)</translation>
    </message>
    <message>
        <source>%1 has the unknown data type %2</source>
        <translation>%1 的数据类型 %2 未知</translation>
    </message>
    <message>
        <source>%1 is stored in segments, which no tool writes</source>
        <translation>%1 分段存储，没有工具这样写</translation>
    </message>
    <message>
        <source>the size of %1 overflows</source>
        <translation>%1 的大小溢出</translation>
    </message>
    <message>
        <source>%1: external data has the length %2, its shape needs %3 bytes</source>
        <translation>%1：外部数据的长度为 %2，按 shape 需要 %3 字节</translation>
    </message>
    <message>
        <source>%1: external data at offset %2 with %3 bytes runs past the end of &apos;%4&apos; (%5 bytes)</source>
        <translation>%1：外部数据位于偏移 %2，共 %3 字节，超出“%4”（%5 字节）的末尾</translation>
    </message>
    <message>
        <source>%1 keeps its values in an external file that is missing</source>
        <translation>%1 的数值存放在外部文件中，该文件不存在</translation>
    </message>
    <message>
        <source>%1 has a size or type that cannot be made dense</source>
        <translation>%1 的大小或类型无法转换为稠密形式</translation>
    </message>
    <message>
        <source>%1 needs %2 bytes when made dense, more than the limit of %3</source>
        <translation>%1 转换为稠密形式需要 %2 字节，超过上限 %3</translation>
    </message>
    <message>
        <source>%1 has indices that are no integers</source>
        <translation>%1 的索引不是整数</translation>
    </message>
    <message>
        <source>%1 has an index outside its shape %2</source>
        <translation>%1 有索引超出其 shape %2</translation>
    </message>
    <message>
        <source>cannot read the value</source>
        <translation>无法读取数值</translation>
    </message>
    <message>
        <source>cannot read the value: %1</source>
        <translation>无法读取数值：%1</translation>
    </message>
    <message>
        <source>the value is larger than 2 GiB</source>
        <translation>数值超过 2 GiB</translation>
    </message>
    <message>
        <source>ONNX has no type for %1</source>
        <translation>ONNX 没有与 %1 对应的类型</translation>
    </message>
    <message>
        <source>not an ONNX model: it holds no graph</source>
        <translation>不是 ONNX 模型：其中没有图</translation>
    </message>
    <message>
        <source>damaged or not an ONNX file: %1 (byte %2)</source>
        <translation>已损坏，或不是 ONNX 文件：%1（字节 %2）</translation>
    </message>
    <message>
        <source>truncated: a field at byte %1 runs past the end of the file</source>
        <translation>文件被截断：字节 %1 处的字段超出文件末尾</translation>
    </message>
    <message>
        <source>truncated: a field at byte %1 claims %2 bytes and runs past the end of the file</source>
        <translation>文件被截断：字节 %1 处的字段声称有 %2 字节，超出文件末尾</translation>
    </message>
    <message>
        <source>a field runs past the end of its message</source>
        <translation>有字段超出所在消息的末尾</translation>
    </message>
    <message>
        <source>a varint longer than 10 bytes</source>
        <translation>varint 超过 10 字节</translation>
    </message>
    <message>
        <source>no protobuf field</source>
        <translation>不是 protobuf 字段</translation>
    </message>
    <message>
        <source>types are nested too deep</source>
        <translation>类型嵌套过深</translation>
    </message>
    <message>
        <source>sub-graphs are nested too deep</source>
        <translation>子图嵌套过深</translation>
    </message>
    <message>
        <source>not a platform ini file: it holds zero bytes</source>
        <translation>不是平台 ini 文件：文件为 0 字节</translation>
    </message>
    <message>
        <source>a section header without &apos;]&apos;</source>
        <translation>段标题缺少“]”</translation>
    </message>
    <message>
        <source>expected [section] or key=value</source>
        <translation>应为 [section] 或 key=value</translation>
    </message>
    <message>
        <source>not a platform ini file: it has no [section]</source>
        <translation>不是平台 ini 文件：没有 [section]</translation>
    </message>
    <message>
        <source>%1 is not a number: &apos;%2&apos;</source>
        <translation>%1 不是数字：“%2”</translation>
    </message>
    <message>
        <source>no SoC_version in section [version]</source>
        <translation>[version] 段中没有 SoC_version</translation>
    </message>
    <message>
        <source>cannot read the SoC profile</source>
        <translation>无法读取 SoC 配置文件</translation>
    </message>
    <message>
        <source>cannot read the SoC profile: %1</source>
        <translation>无法读取 SoC 配置文件：%1</translation>
    </message>
    <message>
        <source>not a platform ini file: larger than 16 MiB</source>
        <translation>不是平台 ini 文件：超过 16 MiB</translation>
    </message>
    <message>
        <source>the text ends inside &apos;%1&apos;</source>
        <translation>文本在“%1”内部结束</translation>
    </message>
    <message>
        <source>lists of messages are nested</source>
        <translation>消息列表有嵌套</translation>
    </message>
    <message>
        <source>messages are nested too deep</source>
        <translation>消息嵌套过深</translation>
    </message>
    <message>
        <source>a string is not closed on its line</source>
        <translation>字符串没有在本行结束</translation>
    </message>
    <message>
        <source>the text ends inside a string</source>
        <translation>文本在字符串内部结束</translation>
    </message>
    <message>
        <source>a zero byte</source>
        <translation>零字节</translation>
    </message>
    <message>
        <source>an unexpected character</source>
        <translation>意外的字符</translation>
    </message>
    <message>
        <source>a number is out of range</source>
        <translation>数值超出范围</translation>
    </message>
    <message>
        <source>too many empty elements</source>
        <translation>空元素过多</translation>
    </message>
    <message>
        <source>a brace is closed that was not opened</source>
        <translation>有多余的右花括号</translation>
    </message>
    <message>
        <source>this text is no dump of a graph</source>
        <translation>此文本不是图的 dump</translation>
    </message>
    <message>
        <source>this text is no listing of a graph</source>
        <translation>此文本不是图的清单</translation>
    </message>
    <message>
        <source>only a model with a compiled plan lacks its original</source>
        <translation>只有带编译好的执行计划的模型才缺少原图</translation>
    </message>
    <message>
        <source>this model is compiled itself; its original was asked for</source>
        <translation>此模型本身就是编译结果；需要的是它的原始模型</translation>
    </message>
    <message>
        <source>the model cannot be compiled</source>
        <translation>模型无法编译</translation>
    </message>
    <message>
        <source>%1; the original %2 is attached</source>
        <translation>%1；已附上原始模型 %2</translation>
    </message>
    <message>
        <source>the breakpoint does not say what it waits for</source>
        <translation>断点没有说明等待什么</translation>
    </message>
    <message>
        <source>&apos;hits&apos; counts stops; it belongs into the condition</source>
        <translation>“hits”统计命中次数；应写在条件中</translation>
    </message>
    <message>
        <source>%1 cards: at least one is needed</source>
        <translation>%1 张卡：至少需要一张</translation>
    </message>
    <message>
        <source>%1 cards cannot share %2 blocks</source>
        <translation>%1 张卡无法分担 %2 个重复块</translation>
    </message>
    <message>
        <source>no stored output</source>
        <translation>没有保存的输出</translation>
    </message>
    <message>
        <source>%1: output %2 was not computed</source>
        <translation>%1：输出 %2 未计算</translation>
    </message>
    <message>
        <source>%1: output &apos;%2&apos; is a sequence of another length</source>
        <translation>%1：输出“%2”是长度不同的序列</translation>
    </message>
    <message>
        <source>%1: output &apos;%2&apos; is %3 %4, stored is %5 %6</source>
        <translation>%1：输出“%2”为 %3 %4，保存的是 %5 %6</translation>
    </message>
    <message>
        <source>%1: output &apos;%2&apos; differs in %3 of %4 elements, by at most %5 (relative %6), by %7 of its norm</source>
        <translation>%1：输出“%2”的 %4 个元素中有 %3 个不同，最大差 %5（相对 %6），为其范数的 %7</translation>
    </message>
    <message>
        <source>this is a file; a folder with model.onnx and test_data_set_N is wanted</source>
        <translation>这是文件；需要含 model.onnx 和 test_data_set_N 的文件夹</translation>
    </message>
    <message>
        <source>no folder with a model.onnx</source>
        <translation>没有含 model.onnx 的文件夹</translation>
    </message>
    <message>
        <source>no test_data_set folder</source>
        <translation>没有 test_data_set 文件夹</translation>
    </message>
    <message>
        <source>%1 draws random numbers, which cannot be compared</source>
        <translation>%1 产生随机数，无法比较</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no figure of a step; known are %2</source>
        <translation>“%1”不是步骤的指标；可用的有 %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is compared with nothing</source>
        <translation>“%1”没有比较对象</translation>
    </message>
    <message>
        <source>&apos;%1&apos; compares nothing; known are &lt; &lt;= &gt; &gt;= == !=</source>
        <translation>“%1”不是比较符；可用的有 &lt; &lt;= &gt; &gt;= == !=</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no number</source>
        <translation>“%1”不是数字</translation>
    </message>
    <message>
        <source>&apos;%1&apos; does not go on; comparisons are joined by &apos;and&apos;</source>
        <translation>“%1”处无法继续；多个比较用“and”连接</translation>
    </message>
    <message>
        <source>cannot write the dump</source>
        <translation>无法写入 dump</translation>
    </message>
    <message>
        <source>cannot make the dump folder: %1</source>
        <translation>无法创建 dump 文件夹：%1</translation>
    </message>
    <message>
        <source>input &apos;%1&apos; is %2 %3, the model wants %4 %5</source>
        <translation>输入“%1”为 %2 %3，模型需要 %4 %5</translation>
    </message>
    <message>
        <source>input &apos;%1&apos; is given twice</source>
        <translation>输入“%1”给出了两次</translation>
    </message>
    <message>
        <source>input &apos;%1&apos; is not given</source>
        <translation>没有给出输入“%1”</translation>
    </message>
    <message>
        <source>larger than 64 MiB</source>
        <translation>超过 64 MiB</translation>
    </message>
    <message>
        <source>not JSON</source>
        <translation>不是 JSON</translation>
    </message>
    <message>
        <source>no fusion counts inside</source>
        <translation>其中没有融合次数</translation>
    </message>
    <message>
        <source>%1 addresses in the task list are not those that the operators state; the operators&apos; are shown</source>
        <translation>Task 列表中有 %1 个地址与算子记录的不一致；显示算子记录的地址</translation>
    </message>
    <message>
        <source>%1 tensors end beyond the memory that the file states (%2 bytes)</source>
        <translation>有 %1 个 Tensor 超出文件给出的内存（%2 字节）</translation>
    </message>
    <message>
        <source>no SoC is described there; the folder of resources is missing or not complete</source>
        <translation>那里没有 SoC 配置；资源文件夹缺失或不完整</translation>
    </message>
    <message>
        <source>unknown SoC &apos;%1&apos;; known: %2</source>
        <translation>未知的 SoC“%1”；可用的有：%2</translation>
    </message>
    <message>
        <source>the pass &apos;%1&apos; cannot be skipped: what follows needs it</source>
        <translation>Pass“%1”不能跳过：后面的步骤需要它</translation>
    </message>
    <message>
        <source>there is no pass &apos;%1&apos; to skip</source>
        <translation>没有可跳过的 Pass“%1”</translation>
    </message>
    <message>
        <source>light mode needs an OM file with a compiled plan; this file has none</source>
        <translation>轻量级编译需要带编译好的执行计划的 OM 文件；此文件没有</translation>
    </message>
    <message>
        <source>full mode is not possible: the file carries a compiled plan, its original graph is gone</source>
        <translation>无法全量编译：文件带编译好的执行计划，原图已不存在</translation>
    </message>
    <message>
        <source>this part keeps the input shapes that the model was split with; set them for the whole model and split it again</source>
        <translation>此部分保留模型切分时的输入 shape；请对整个模型设置后重新切分</translation>
    </message>
    <message>
        <source>the file carries a compiled plan: there is no pass to skip</source>
        <translation>文件带编译好的执行计划：没有可跳过的 Pass</translation>
    </message>
    <message>
        <source>the dump could not be read</source>
        <translation>无法读取 dump</translation>
    </message>
    <message>
        <source>the dumps and our pipeline have no phase in common</source>
        <translation>dump 图与模拟的流程没有共同的阶段</translation>
    </message>
    <message>
        <source>all %1 phases agree</source>
        <translation>全部 %1 个阶段一致</translation>
    </message>
    <message>
        <source>they differ from the start: %1</source>
        <translation>从一开始就不同：%1</translation>
    </message>
    <message>
        <source>%1; GE&apos;s dumps show no fusion engine (FE): no phase and no attribute of its own, no fused operator</source>
        <translation>%1；GE 的 dump 图中没有融合引擎（FE）的痕迹：没有它的阶段和属性，也没有融合后的算子</translation>
    </message>
    <message>
        <source>%1; GE&apos;s own graph fusion added and removed no node</source>
        <translation>%1；GE 自身的图融合没有增减节点</translation>
    </message>
    <message>
        <source>%1; since %2 no pass of ours changed these nodes</source>
        <translation>%1；自 %2 以来，仿真中没有 Pass 改变这些节点</translation>
    </message>
    <message>
        <source>%1; since %2 ours changed these nodes in %3</source>
        <translation>%1；自 %2 以来，仿真中改变这些节点的 Pass：%3</translation>
    </message>
    <message>
        <source>%1; ours changed these nodes in %2</source>
        <translation>%1；仿真中改变这些节点的 Pass：%2</translation>
    </message>
    <message>
        <source>the first phase agrees; they part at %1: %2</source>
        <translation>第一个阶段一致；从 %1 开始不同：%2</translation>
    </message>
    <message>
        <source>the first %1 phases agree; they part at %2: %3</source>
        <translation>前 %1 个阶段一致；从 %2 开始不同：%3</translation>
    </message>
    <message>
        <source>an input of %1 bytes, drawn with %2 more beside %3 bytes of other inputs, is more than the %4 bytes that the run may use</source>
        <translation>一个 %1 字节的输入（生成时还需 %2 字节），加上其他输入的 %3 字节，超过可用的 %4 字节</translation>
    </message>
    <message>
        <source>there is no step %1</source>
        <translation>没有第 %1 步</translation>
    </message>
    <message>
        <source>the node is not in the graph of this step</source>
        <translation>此步骤的图中没有该节点</translation>
    </message>
    <message>
        <source>there is no output %1</source>
        <translation>没有输出 %1</translation>
    </message>
    <message>
        <source>values inside a sub-graph come and go with its owner&apos;s run</source>
        <translation>子图中的数值只在其所属节点执行期间存在</translation>
    </message>
    <message>
        <source>%1 has no statistics</source>
        <translation>%1 没有统计</translation>
    </message>
    <message>
        <source>the node left this output out</source>
        <translation>节点没有产生此输出</translation>
    </message>
    <message>
        <source>one text is %1, the other %2; only texts of one form can be compared</source>
        <translation>一份文本是 %1，另一份是 %2；只能比较同一形式的文本</translation>
    </message>
    <message>
        <source>comparing its %1 bytes takes %2 bytes beside %3 bytes in use, more than the %4 bytes that the run may use</source>
        <translation>比较其 %1 字节需要 %2 字节，加上已用的 %3 字节，超过可用的 %4 字节</translation>
    </message>
    <message>
        <source>step %1 (%2): %3</source>
        <translation>第 %1 步 (%2)：%3</translation>
    </message>
    <message>
        <source>the device did not run: some sizes are known at run time only, so they have no addresses</source>
        <translation>未在模拟设备上执行：有些大小要到运行时才知道，因此没有地址</translation>
    </message>
    <message>
        <source>the device did not run: %1</source>
        <translation>未在模拟设备上执行：%1</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>streams wait for each other without end, so the list never finishes</source>
        <translation>流之间相互等待，Task 列表永远执行不完</translation>
    </message>
    <message>
        <source>the streams wait for each other without end: %1</source>
        <translation>流之间无休止地相互等待：%1</translation>
    </message>
    <message>
        <source>the device needs every shape to be known</source>
        <translation>模拟设备要求所有 shape 已知</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no address</source>
        <translation>“%1”没有地址</translation>
    </message>
    <message>
        <source>the plan needs %1 bytes, a simulated device may take %2</source>
        <translation>计划需要 %1 字节，模拟设备最多可用 %2 字节</translation>
    </message>
    <message>
        <source>a tensor has no memory</source>
        <translation>有一个 Tensor 没有内存</translation>
    </message>
    <message>
        <source>no device memory behind a %1 address</source>
        <translation>%1 地址没有对应的显存</translation>
    </message>
    <message>
        <source>address %1 + %2 bytes lies outside the %3 region of %4 bytes</source>
        <translation>地址 %1 + %2 字节超出 %4 字节的 %3 区域</translation>
    </message>
    <message>
        <source>an input has no value that lies in device memory</source>
        <translation>有一个输入的值不在显存中</translation>
    </message>
    <message>
        <source>weights are absent</source>
        <translation>缺少权重</translation>
    </message>
    <message>
        <source>input &apos;%1&apos; is %2 %3, the compiled model wants %4 %5</source>
        <translation>输入“%1”为 %2 %3，编译后的模型需要 %4 %5</translation>
    </message>
    <message>
        <source>the task has no address for an output</source>
        <translation>Task 的一个输出没有地址</translation>
    </message>
    <message>
        <source>output %1 writes %2 bytes where %3 are planned</source>
        <translation>输出 %1 写入 %2 字节，计划为 %3 字节</translation>
    </message>
    <message>
        <source>sub-graph %1 does not exist</source>
        <translation>子图 %1 不存在</translation>
    </message>
    <message>
        <source>output %1 came out as %2 %3, the plan says %4 %5</source>
        <translation>输出 %1 的结果为 %2 %3，计划为 %4 %5</translation>
    </message>
    <message>
        <source>the machine has no memory left for the device</source>
        <translation>本机内存不足，无法模拟设备</translation>
    </message>
    <message>
        <source>sub-graphs are nested more than %1 deep</source>
        <translation>子图嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>input &apos;%1&apos; is %2, the model wants %3</source>
        <translation>输入“%1”为 %2，模型需要 %3</translation>
    </message>
    <message>
        <source>input &apos;%1&apos; has shape %2, the model wants %3</source>
        <translation>输入“%1”的 shape 为 %2，模型需要 %3</translation>
    </message>
    <message>
        <source>the graph has a cycle, so it cannot be run</source>
        <translation>图中有环，无法执行</translation>
    </message>
    <message>
        <source>the graph has a cycle, so no order of execution exists</source>
        <translation>图中有环，不存在执行顺序</translation>
    </message>
    <message>
        <source>an input comes from another graph</source>
        <translation>有一个输入来自另一张图</translation>
    </message>
    <message>
        <source>the body got fewer inputs than it has</source>
        <translation>传给循环体的输入少于其声明的输入</translation>
    </message>
    <message>
        <source>a result of %1 bytes beside %2 bytes in use is more than the %3 bytes that the run may use</source>
        <translation>%1 字节的结果加上已用的 %2 字节，超过可用的 %3 字节</translation>
    </message>
    <message>
        <source>the machine has no memory left for the run</source>
        <translation>本机内存不足，无法执行</translation>
    </message>
    <message>
        <source>the machine has no memory left for it</source>
        <translation>本机内存不足</translation>
    </message>
    <message>
        <source>the logical shape of an input is not known</source>
        <translation>有一个输入的逻辑 shape 未知</translation>
    </message>
    <message>
        <source>output %1 has shape %2, its layout was chosen for %3</source>
        <translation>输出 %1 的 shape 为 %2，其 Layout 是按 %3 选择的</translation>
    </message>
    <message>
        <source>an output has no size</source>
        <translation>有一个输出没有大小</translation>
    </message>
    <message>
        <source>a result of %1 bytes is more than the %2 bytes that one may take</source>
        <translation>%1 字节的结果超过单个结果可用的 %2 字节</translation>
    </message>
    <message>
        <source>a result of %1 bytes is computed as %2 bytes of fp32, more than the %3 bytes that one may take</source>
        <translation>%1 字节的结果要按 %2 字节的 fp32 计算，超过单个结果可用的 %3 字节</translation>
    </message>
    <message>
        <source>no kernel</source>
        <translation>没有 kernel</translation>
    </message>
    <message>
        <source>%1 is not computed here</source>
        <translation>这里不计算 %1</translation>
    </message>
    <message>
        <source>not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>the folded value would be too large</source>
        <translation>折叠后的值过大</translation>
    </message>
    <message>
        <source>the compiled graph has a cycle</source>
        <translation>编译后的图中有环</translation>
    </message>
    <message>
        <source>the schedule does not hold: %1</source>
        <translation>调度不成立：%1</translation>
    </message>
    <message>
        <source>the order names a node twice, or one that does not exist</source>
        <translation>顺序中有节点重复或不存在</translation>
    </message>
    <message>
        <source>the order runs &apos;%1&apos; before its input</source>
        <translation>顺序中“%1”排在其输入之前</translation>
    </message>
    <message>
        <source>the order runs &apos;%1&apos; before what it must follow</source>
        <translation>顺序中“%1”排在它必须跟随的节点之前</translation>
    </message>
    <message>
        <source>node &apos;%1&apos;: sub-graphs nested deeper than %2 are not inferred</source>
        <translation>节点“%1”：嵌套超过 %2 层的子图不做推导</translation>
    </message>
    <message>
        <source>%1; the branch cannot run with these shapes</source>
        <translation>%1；在这些 shape 下该分支不会执行</translation>
    </message>
    <message>
        <source>the file is empty; a header &apos;id,lower,upper,size&apos; is expected</source>
        <translation>文件为空；应有表头“id,lower,upper,size”</translation>
    </message>
    <message>
        <source>the header has no column &apos;%1&apos;; &apos;id,lower,upper,size&apos; is expected</source>
        <translation>表头没有“%1”列；应为“id,lower,upper,size”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; in column &apos;%2&apos; is no whole number of 64 bits</source>
        <translation>“%2”列的“%1”不是 64 位整数</translation>
    </message>
    <message>
        <source>%1 fields, the header names %2</source>
        <translation>有 %1 个字段，表头有 %2 个</translation>
    </message>
    <message>
        <source>only an alignment of 1 is supported</source>
        <translation>只支持对齐为 1</translation>
    </message>
    <message>
        <source>gaps within a buffer are not supported</source>
        <translation>不支持缓冲区内的空洞</translation>
    </message>
    <message>
        <source>upper %1 is before lower %2</source>
        <translation>upper %1 早于 lower %2</translation>
    </message>
    <message>
        <source>the size %1 is negative</source>
        <translation>大小 %1 为负</translation>
    </message>
    <message>
        <source>the sizes add up to more than 2^62</source>
        <translation>大小之和超过 2^62</translation>
    </message>
    <message>
        <source>a time lies beyond 2^62</source>
        <translation>有时间超过 2^62</translation>
    </message>
    <message>
        <source>the id is empty</source>
        <translation>id 为空</translation>
    </message>
    <message>
        <source>the id &apos;%1&apos; comes twice</source>
        <translation>id“%1”出现两次</translation>
    </message>
    <message>
        <source>the %1 planner made a bad plan: %2</source>
        <translation>%1 规划器给出的计划有误：%2</translation>
    </message>
    <message>
        <source>strict-scope-check is &apos;%1&apos;; it takes bypass or abort</source>
        <translation>strict-scope-check 为“%1”；只能是 bypass 或 abort</translation>
    </message>
    <message>
        <source>super kernels are for graphs whose shapes are all known; scopes have no effect here</source>
        <translation>SuperKernel 只用于所有 shape 均已知的图；此处 scope 不起作用</translation>
    </message>
    <message>
        <source>AUTOFUSE_FLAGS: &apos;%1&apos; is none of reduce, concat, slice, split, gather, transpose</source>
        <translation>AUTOFUSE_FLAGS：“%1”不是 reduce、concat、slice、split、gather、transpose 之一</translation>
    </message>
    <message>
        <source>AUTOFUSE_FLAGS: %1 wants a number from %2 to %3, not &apos;%4&apos;</source>
        <translation>AUTOFUSE_FLAGS：%1 需要 %2 到 %3 的数，而不是“%4”</translation>
    </message>
    <message>
        <source>AUTOFUSE_FLAGS: --enable_autofuse wants true or false, not &apos;%1&apos;</source>
        <translation>AUTOFUSE_FLAGS：--enable_autofuse 只能是 true 或 false，而不是“%1”</translation>
    </message>
    <message>
        <source>AUTOFUSE_FLAGS: unknown flag &apos;%1&apos;</source>
        <translation>AUTOFUSE_FLAGS：未知的选项“%1”</translation>
    </message>
    <message>
        <source>expected fusions: the file is no JSON</source>
        <translation>预期的融合：文件不是 JSON</translation>
    </message>
    <message>
        <source>expected fusions: the file must be one object, rule id or pass name to least count</source>
        <translation>预期的融合：文件应为一个对象，由规则 ID 或 Pass 名对应最少次数</translation>
    </message>
    <message>
        <source>expected fusions: &apos;%1&apos; needs a count, 0 or more</source>
        <translation>预期的融合：“%1”需要一个不小于 0 的次数</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) runs on %3, not on the vector unit</source>
        <translation>“%1”(%2) 在 %3 执行，不在 vector 单元</translation>
    </message>
    <message>
        <source>the class of &apos;%1&apos; (%2) is not in --autofuse_enable_pass</source>
        <translation>“%1”(%2) 的类别不在 --autofuse_enable_pass 中</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) has several results</source>
        <translation>“%1”(%2) 有多个结果</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) has control edges, which end a kernel</source>
        <translation>“%1”(%2) 有控制边，kernel 在此结束</translation>
    </message>
    <message>
        <source>the dims of &apos;%1&apos; (%2) are not known</source>
        <translation>“%1”(%2) 的维度未知</translation>
    </message>
    <message>
        <source>the dims of an operand of &apos;%1&apos; (%2) are not known</source>
        <translation>“%1”(%2) 有操作数的维度未知</translation>
    </message>
    <message>
        <source>one kernel for %1 operators saves %2 bytes of memory traffic</source>
        <translation>用一个 kernel 执行 %1 个算子，节省 %2 字节的内存访问</translation>
    </message>
    <message>
        <source>one kernel would hold %1 operators; the limit is %2</source>
        <translation>一个 kernel 将包含 %1 个算子；上限为 %2</translation>
    </message>
    <message>
        <source>one kernel would read %1 tensors; the limit is %2</source>
        <translation>一个 kernel 将读取 %1 个 Tensor；上限为 %2</translation>
    </message>
    <message>
        <source>one kernel would write %1 bytes; the limit is %2</source>
        <translation>一个 kernel 将写出 %1 字节；上限为 %2</translation>
    </message>
    <message>
        <source>the two are told to use %1 and %2 vector cores</source>
        <translation>两者分别指定使用 %1 和 %2 个 vector 核</translation>
    </message>
    <message>
        <source>their stream labels differ: &apos;%1&apos; and &apos;%2&apos;</source>
        <translation>两者的流标签不同：“%1”和“%2”</translation>
    </message>
    <message>
        <source>a Concat does not join a reduction</source>
        <translation>Concat 不与归约融合</translation>
    </message>
    <message>
        <source>the axes of two reductions in a row cannot be one loop nest</source>
        <translation>相连的两个归约的轴不能合为一个循环</translation>
    </message>
    <message>
        <source>behind a reduction only element-wise operators may follow</source>
        <translation>归约之后只能是逐元素算子</translation>
    </message>
    <message>
        <source>the reduced values are spread over the whole row again, which needs a second pass over it</source>
        <translation>归约结果又广播到整行，需要再遍历一次</translation>
    </message>
    <message>
        <source>an element-wise operator behind a reduction reads more than one tensor</source>
        <translation>归约之后的逐元素算子读取多个 Tensor</translation>
    </message>
    <message>
        <source>%1 element-wise operators would follow the reduction; the limit is %2</source>
        <translation>归约之后将有 %1 个逐元素算子；上限为 %2</translation>
    </message>
    <message>
        <source>a Split does not join what comes before it</source>
        <translation>Split 不与它前面的算子融合</translation>
    </message>
    <message>
        <source>a Gather does not join what comes before it</source>
        <translation>Gather 不与它前面的算子融合</translation>
    </message>
    <message>
        <source>a Split does not join a reduction</source>
        <translation>Split 不与归约融合</translation>
    </message>
    <message>
        <source>a Split does not join a Concat behind it</source>
        <translation>Split 不与它后面的 Concat 融合</translation>
    </message>
    <message>
        <source>a Split does not join a change of dims</source>
        <translation>Split 不与改变维度的算子融合</translation>
    </message>
    <message>
        <source>only element-wise operators may follow a Split</source>
        <translation>Split 之后只能是逐元素算子</translation>
    </message>
    <message>
        <source>a Gather does not join a reduction</source>
        <translation>Gather 不与归约融合</translation>
    </message>
    <message>
        <source>a Gather does not join a Concat</source>
        <translation>Gather 不与 Concat 融合</translation>
    </message>
    <message>
        <source>a Gather does not join element-wise operators that change dims</source>
        <translation>Gather 不与改变维度的逐元素算子融合</translation>
    </message>
    <message>
        <source>only element-wise operators may follow a Gather</source>
        <translation>Gather 之后只能是逐元素算子</translation>
    </message>
    <message>
        <source>a slice does not join a change of dims</source>
        <translation>切片不与改变维度的算子融合</translation>
    </message>
    <message>
        <source>a slice ends its kernel before a reduction</source>
        <translation>切片的 kernel 在归约之前结束</translation>
    </message>
    <message>
        <source>a Transpose joins element-wise operators alone</source>
        <translation>Transpose 只与逐元素算子融合</translation>
    </message>
    <message>
        <source>a Concat does not join another Concat</source>
        <translation>Concat 不与另一个 Concat 融合</translation>
    </message>
    <message>
        <source>behind a Concat only one plain element-wise operator of one operand may follow</source>
        <translation>Concat 之后只能有一个单操作数的普通逐元素算子</translation>
    </message>
    <message>
        <source>only element-wise operators may come before a Concat in its kernel</source>
        <translation>Concat 所在的 kernel 中，它前面只能是逐元素算子</translation>
    </message>
    <message>
        <source>two Splits side by side stay two kernels</source>
        <translation>并列的两个 Split 仍是两个 kernel</translation>
    </message>
    <message>
        <source>a Split joins nothing beside it</source>
        <translation>Split 不与并列的算子融合</translation>
    </message>
    <message>
        <source>a Gather joins only what follows it</source>
        <translation>Gather 只与其后的算子融合</translation>
    </message>
    <message>
        <source>a reduction joins nothing beside it</source>
        <translation>归约不与并列的算子融合</translation>
    </message>
    <message>
        <source>a slice is linked only by a tensor that both read</source>
        <translation>切片只通过共同读取的 Tensor 相连</translation>
    </message>
    <message>
        <source>a Transpose joins element-wise operators before or behind it alone</source>
        <translation>Transpose 只与其前后的逐元素算子融合</translation>
    </message>
    <message>
        <source>loops over %1 and %2 cannot be one nest</source>
        <translation>%1 与 %2 上的循环不能合为一个</translation>
    </message>
    <message>
        <source>results of %1 bytes would live from the earlier place on, and %2 bytes of traffic are saved</source>
        <translation>%1 字节的结果会从更早的位置起占用内存，节省 %2 字节的内存访问</translation>
    </message>
    <message>
        <source>the two share no tensor: one kernel would save no memory traffic</source>
        <translation>两者没有共同的 Tensor：合为一个 kernel 不节省内存访问</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) lies between the two: it would have to run before and after the one kernel</source>
        <translation>“%1”(%2) 位于两者之间：它必须既在该 kernel 之前又在之后执行</translation>
    </message>
    <message>
        <source>the constant &apos;%1&apos; cannot be computed from the operands: their sizes or values do not fit</source>
        <translation>无法由操作数算出常量“%1”：大小或数值不合适</translation>
    </message>
    <message>
        <source>Check the sizes of the parameters.</source>
        <translation>请检查参数的大小。</translation>
    </message>
    <message>
        <source>the rule has no replacement for this form</source>
        <translation>规则没有针对这种形式的替换</translation>
    </message>
    <message>
        <source>Write a rule for this form.</source>
        <translation>请为这种形式编写规则。</translation>
    </message>
    <message>
        <source>%1 does not accept the operands: %2</source>
        <translation>%1 不接受这些操作数：%2</translation>
    </message>
    <message>
        <source>%1 would give %2 in place of %3</source>
        <translation>%1 会给出 %2，而不是 %3</translation>
    </message>
    <message>
        <source>Change the operands so that the fused operator takes them.</source>
        <translation>修改操作数，使融合算子能够接受。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not PassName:on or PassName:off</source>
        <translation>“%1”不是“Pass 名:on”或“Pass 名:off”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is switched twice</source>
        <translation>“%1”设置了两次</translation>
    </message>
    <message>
        <source>the file ends too early</source>
        <translation>文件过早结束</translation>
    </message>
    <message>
        <source>&apos;%1&apos; expected, found &apos;%2&apos;</source>
        <translation>应为“%1”，实为“%2”</translation>
    </message>
    <message>
        <source>escapes are not allowed in pass names</source>
        <translation>Pass 名中不允许转义</translation>
    </message>
    <message>
        <source>a closing quote is missing</source>
        <translation>缺少右引号</translation>
    </message>
    <message>
        <source>&apos;%1&apos; appears twice</source>
        <translation>“%1”出现两次</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not one of Switch, Priority, ExceptionalPassOfO1Level</source>
        <translation>“%1”不是 Switch、Priority、ExceptionalPassOfO1Level 之一</translation>
    </message>
    <message>
        <source>something follows the closing brace</source>
        <translation>右花括号之后还有内容</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not one of GraphFusion, UBFusion</source>
        <translation>“%1”不是 GraphFusion、UBFusion 之一</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be &quot;on&quot; or &quot;off&quot;, not &quot;%2&quot;</source>
        <translation>“%1”只能是 &quot;on&quot; 或 &quot;off&quot;，而不是 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not one of Top, Main, Down</source>
        <translation>“%1”不是 Top、Main、Down 之一</translation>
    </message>
    <message>
        <source>the priority of &apos;%1&apos; must be an integer, not &quot;%2&quot;</source>
        <translation>“%1”的优先级必须是整数，而不是 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>priority %1 of &apos;%2&apos; is outside %3 (%4–%5 or %6–%7)</source>
        <translation>“%2”的优先级 %1 超出 %3 的范围（%4–%5 或 %6–%7）</translation>
    </message>
    <message>
        <source>priority %1 is given twice</source>
        <translation>优先级 %1 给出了两次</translation>
    </message>
    <message>
        <source>cannot open the fusion switch file</source>
        <translation>无法打开融合开关文件</translation>
    </message>
    <message>
        <source>the fusion switch file is larger than 16 MiB</source>
        <translation>融合开关文件超过 16 MiB</translation>
    </message>
    <message>
        <source>no pass or rule is named &apos;%1&apos;</source>
        <translation>没有名为“%1”的 Pass 或规则</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be switched off</source>
        <translation>“%1”不能关闭</translation>
    </message>
    <message>
        <source>cannot be switched off</source>
        <translation>不能关闭</translation>
    </message>
    <message>
        <source>formula &apos;%1&apos;: %2</source>
        <translation>公式“%1”：%2</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>ends too early</source>
        <translation>过早结束</translation>
    </message>
    <message>
        <source>unknown SoC quantity &apos;%1&apos;</source>
        <translation>未知的 SoC 参数“%1”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a tensor; say what of it (&apos;.size&apos;, &apos;.dim(0)&apos;)</source>
        <translation>“%1”是 Tensor；请说明取它的什么（“.size”、“.dim(0)”）</translation>
    </message>
    <message>
        <source>unknown name &apos;%1&apos;</source>
        <translation>未知的名称“%1”</translation>
    </message>
    <message>
        <source>unknown function &apos;%1&apos;</source>
        <translation>未知的函数“%1”</translation>
    </message>
    <message>
        <source>&apos;,&apos; or &apos;)&apos; expected</source>
        <translation>应为“,”或“)”</translation>
    </message>
    <message>
        <source>a name in single quotes expected</source>
        <translation>应为单引号中的名称</translation>
    </message>
    <message>
        <source>closing quote missing</source>
        <translation>缺少右引号</translation>
    </message>
    <message>
        <source>wrong arguments for &apos;%1&apos;</source>
        <translation>“%1”的参数有误</translation>
    </message>
    <message>
        <source>rule &apos;%1&apos;: %2</source>
        <translation>规则“%1”：%2</translation>
    </message>
    <message>
        <source>rule &apos;%1&apos;: no earlier rule of this file is named &apos;%2&apos;</source>
        <translation>规则“%1”：此文件前面没有名为“%2”的规则</translation>
    </message>
    <message>
        <source>rule &apos;%1&apos; was already defined in %2:%3</source>
        <translation>规则“%1”已在 %2:%3 中定义</translation>
    </message>
    <message>
        <source>cannot read rules: %1</source>
        <translation>无法读取规则：%1</translation>
    </message>
    <message>
        <source>the folder holds no rule file (*.textproto)</source>
        <translation>文件夹中没有规则文件 (*.textproto)</translation>
    </message>
    <message>
        <source>rule file is larger than 16 MiB</source>
        <translation>规则文件超过 16 MiB</translation>
    </message>
    <message>
        <source>cannot read the rule file</source>
        <translation>无法读取规则文件</translation>
    </message>
    <message>
        <source>not a rule</source>
        <translation>不是规则</translation>
    </message>
    <message>
        <source>aclmdlLoadFromFile(&apos;%1&apos;): %2 graph nodes, %3 ms</source>
        <translation>aclmdlLoadFromFile(&apos;%1&apos;)：图中 %2 个节点，%3 ms</translation>
    </message>
    <message>
        <source>without &apos;%1&apos; at all</source>
        <translation>完全去掉“%1”</translation>
    </message>
    <message>
        <source>as the options of the run ask</source>
        <translation>按本次运行的选项</translation>
    </message>
    <message>
        <source>as an observer of the run asked</source>
        <translation>按本次运行观察者的要求</translation>
    </message>
    <message>
        <source>as its observer asked</source>
        <translation>按其观察者的要求</translation>
    </message>
    <message>
        <source>the weight has a higher rank than x</source>
        <translation>权重的维数高于 x</translation>
    </message>
    <message>
        <source>weight and x have different types</source>
        <translation>权重与 x 的类型不同</translation>
    </message>
    <message>
        <source>the weight does not fit x</source>
        <translation>权重与 x 不匹配</translation>
    </message>
    <message>
        <source>the inputs have different types</source>
        <translation>输入的类型不同</translation>
    </message>
    <message>
        <source>round_mode &apos;%1&apos; is not known</source>
        <translation>未知的 round_mode“%1”</translation>
    </message>
    <message>
        <source>scale and offset differ in size</source>
        <translation>scale 与 offset 的大小不同</translation>
    </message>
    <message>
        <source>x has no axes</source>
        <translation>x 没有轴</translation>
    </message>
    <message>
        <source>smooth_scales does not fit the last axis</source>
        <translation>smooth_scales 与最后一轴不匹配</translation>
    </message>
    <message>
        <source>shape %1 does not fit layout %2: %3</source>
        <translation>shape %1 不符合 Layout %2：%3</translation>
    </message>
    <message>
        <source>needs two axes at least</source>
        <translation>至少需要两个轴</translation>
    </message>
    <message>
        <source>needs three or four axes</source>
        <translation>需要三个或四个轴</translation>
    </message>
    <message>
        <source>needs three axes</source>
        <translation>需要三个轴</translation>
    </message>
    <message>
        <source>the number of heads is not known</source>
        <translation>头数未知</translation>
    </message>
    <message>
        <source>%1 heads do not divide it</source>
        <translation>不能被 %1 个头整除</translation>
    </message>
    <message>
        <source>no input layout is called &apos;%1&apos;</source>
        <translation>没有名为“%1”的输入 Layout</translation>
    </message>
    <message>
        <source>%1 query heads cannot share %2 key heads</source>
        <translation>%1 个 query 头不能共用 %2 个 key 头</translation>
    </message>
    <message>
        <source>query, key and value do not fit together</source>
        <translation>query、key 与 value 不匹配</translation>
    </message>
    <message>
        <source>a mask of shape %1 does not broadcast to the scores %2</source>
        <translation>shape 为 %1 的 mask 不能广播到分数 %2</translation>
    </message>
    <message>
        <source>%1 valid keys of %2 are stated</source>
        <translation>声明 %2 个 key 中有 %1 个有效</translation>
    </message>
    <message>
        <source>its parts give nothing</source>
        <translation>其组成部分没有输出</translation>
    </message>
    <message>
        <source>a constant of its parts is absent</source>
        <translation>其组成部分缺少一个常量</translation>
    </message>
    <message>
        <source>its part &apos;%1&apos; (%2) has no kernel</source>
        <translation>其组成部分“%1”(%2) 没有 kernel</translation>
    </message>
    <message>
        <source>its parts give no output %1</source>
        <translation>其组成部分没有给出输出 %1</translation>
    </message>
    <message>
        <source>its parts are missing</source>
        <translation>缺少其组成部分</translation>
    </message>
    <message>
        <source>input %1 has %2 numbers for %3 channels</source>
        <translation>输入 %1 有 %2 个数，通道有 %3 个</translation>
    </message>
    <message>
        <source>the scale is missing</source>
        <translation>缺少 scale</translation>
    </message>
    <message>
        <source>x is a scalar</source>
        <translation>x 是标量</translation>
    </message>
    <message>
        <source>mean or variance is missing</source>
        <translation>缺少 mean 或 variance</translation>
    </message>
    <message>
        <source>scale of shape %1 does not fit %2 channels</source>
        <translation>shape 为 %1 的 scale 与 %2 个通道不匹配</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number</source>
        <translation>&quot;%1&quot; 不是数字</translation>
    </message>
    <message>
        <source>cannot cast text to %1</source>
        <translation>无法把文本转换为 %1</translation>
    </message>
    <message>
        <source>cannot cast to %1</source>
        <translation>无法转换为 %1</translation>
    </message>
    <message>
        <source>attribute dst_type names no data type</source>
        <translation>属性 dst_type 给出的不是数据类型</translation>
    </message>
    <message>
        <source>the bounds have another type than x</source>
        <translation>上下界的类型与 x 不同</translation>
    </message>
    <message>
        <source>a mask of shape %1 fits neither %2 batches nor %3 keys</source>
        <translation>shape 为 %1 的 mask 与 %2 个 batch、%3 个 key 都不匹配</translation>
    </message>
    <message>
        <source>weights of shape %1 do not hold q, k and v of %2 heads</source>
        <translation>shape 为 %1 的权重容纳不了 %2 个头的 q、k、v</translation>
    </message>
    <message>
        <source>input of shape %1 needs three axes</source>
        <translation>shape 为 %1 的输入应有三个轴</translation>
    </message>
    <message>
        <source>input of shape %1 and weights of shape %2 do not fit</source>
        <translation>shape 为 %1 的输入与 shape 为 %2 的权重不匹配</translation>
    </message>
    <message>
        <source>do_rotary is not supported</source>
        <translation>不支持 do_rotary</translation>
    </message>
    <message>
        <source>bias does not fit the weights</source>
        <translation>bias 与权重不匹配</translation>
    </message>
    <message>
        <source>past of shape %1 does not fit</source>
        <translation>shape 为 %1 的 past 不匹配</translation>
    </message>
    <message>
        <source>present needs equal head sizes of key and value</source>
        <translation>present 要求 key 与 value 的 head size 相同</translation>
    </message>
    <message>
        <source>num_heads is missing</source>
        <translation>缺少 num_heads</translation>
    </message>
    <message>
        <source>query of shape %1 does not hold q, k and v</source>
        <translation>shape 为 %1 的 query 不含 q、k、v</translation>
    </message>
    <message>
        <source>query of shape %1 does not fit %2 heads</source>
        <translation>shape 为 %1 的 query 与 %2 个头不匹配</translation>
    </message>
    <message>
        <source>query of shape %1 does not fit %2 heads over %3</source>
        <translation>shape 为 %1 的 query 与 %2 个头、%3 个 key 头不匹配</translation>
    </message>
    <message>
        <source>key is missing</source>
        <translation>缺少 key</translation>
    </message>
    <message>
        <source>value of shape %1 does not fit %2 heads</source>
        <translation>shape 为 %1 的 value 与 %2 个头不匹配</translation>
    </message>
    <message>
        <source>key and value do not fit together</source>
        <translation>key 与 value 不匹配</translation>
    </message>
    <message>
        <source>query does not fit</source>
        <translation>query 不匹配</translation>
    </message>
    <message>
        <source>key does not fit query</source>
        <translation>key 与 query 不匹配</translation>
    </message>
    <message>
        <source>value does not fit key</source>
        <translation>value 与 key 不匹配</translation>
    </message>
    <message>
        <source>bias does not fit the heads</source>
        <translation>bias 与头数不匹配</translation>
    </message>
    <message>
        <source>past_key and past_value do not fit</source>
        <translation>past_key 与 past_value 不匹配</translation>
    </message>
    <message>
        <source>past_key needs four axes</source>
        <translation>past_key 需要四个轴</translation>
    </message>
    <message>
        <source>past_sequence_length does not fit a cache of %1</source>
        <translation>past_sequence_length 与长度为 %1 的缓存不匹配</translation>
    </message>
    <message>
        <source>cache_indirection of several beams is not supported</source>
        <translation>不支持多个 beam 的 cache_indirection</translation>
    </message>
    <message>
        <source>input_ids of shape %1 needs two axes</source>
        <translation>shape 为 %1 的 input_ids 应有两个轴</translation>
    </message>
    <message>
        <source>table %1 of shape %2 has not %3 columns</source>
        <translation>shape 为 %2 的表 %1 不是 %3 列</translation>
    </message>
    <message>
        <source>index %1 lies outside table %2 of %3 rows</source>
        <translation>索引 %1 超出 %3 行的表 %2</translation>
    </message>
    <message>
        <source>input_ids and word_embedding need two axes</source>
        <translation>input_ids 与 word_embedding 需要两个轴</translation>
    </message>
    <message>
        <source>gamma and beta do not fit the embedding</source>
        <translation>gamma、beta 与 embedding 不匹配</translation>
    </message>
    <message>
        <source>segment_ids does not fit input_ids</source>
        <translation>segment_ids 与 input_ids 不匹配</translation>
    </message>
    <message>
        <source>position_ids does not fit input_ids</source>
        <translation>position_ids 与 input_ids 不匹配</translation>
    </message>
    <message>
        <source>mask does not fit input_ids</source>
        <translation>mask 与 input_ids 不匹配</translation>
    </message>
    <message>
        <source>sub-graphs cannot run here</source>
        <translation>此处无法执行子图</translation>
    </message>
    <message>
        <source>sub-graph %1 gives %2 outputs, %3 are needed</source>
        <translation>子图 %1 给出 %2 个输出，需要 %3 个</translation>
    </message>
    <message>
        <source>a condition of type %1 is not possible</source>
        <translation>条件不能是 %1 类型</translation>
    </message>
    <message>
        <source>has no branches</source>
        <translation>没有分支</translation>
    </message>
    <message>
        <source>there is no branch %1</source>
        <translation>没有分支 %1</translation>
    </message>
    <message>
        <source>still loops after %1 iterations</source>
        <translation>迭代 %1 次后仍在循环</translation>
    </message>
    <message>
        <source>axis %1 does not exist in a scan output</source>
        <translation>scan 输出中没有轴 %1</translation>
    </message>
    <message>
        <source>scan outputs %1 and %2 of two iterations differ</source>
        <translation>两次迭代的 scan 输出 %1 与 %2 不同</translation>
    </message>
    <message>
        <source>scan outputs of %1 are not supported</source>
        <translation>不支持 %1 的 scan 输出</translation>
    </message>
    <message>
        <source>scan inputs of %1 are not supported</source>
        <translation>不支持 %1 的 scan 输入</translation>
    </message>
    <message>
        <source>inputs and outputs do not fit</source>
        <translation>输入与输出不匹配</translation>
    </message>
    <message>
        <source>scan outputs grow beyond 2 GiB</source>
        <translation>scan 输出超过 2 GiB</translation>
    </message>
    <message>
        <source>a scan output axis does not exist</source>
        <translation>scan 输出的轴不存在</translation>
    </message>
    <message>
        <source>scan inputs have different lengths</source>
        <translation>scan 输入的长度不同</translation>
    </message>
    <message>
        <source>more than %1 steps</source>
        <translation>超过 %1 步</translation>
    </message>
    <message>
        <source>an input has no batch</source>
        <translation>有一个输入没有 batch</translation>
    </message>
    <message>
        <source>inputs have different batches</source>
        <translation>输入的 batch 不同</translation>
    </message>
    <message>
        <source>the batch is empty</source>
        <translation>batch 为空</translation>
    </message>
    <message>
        <source>input %1 is no sequence</source>
        <translation>输入 %1 不是序列</translation>
    </message>
    <message>
        <source>position %1 lies outside a sequence of %2</source>
        <translation>位置 %1 超出长度为 %2 的序列</translation>
    </message>
    <message>
        <source>nothing to insert</source>
        <translation>没有可插入的内容</translation>
    </message>
    <message>
        <source>the sequence is empty</source>
        <translation>序列为空</translation>
    </message>
    <message>
        <source>a part of %1 does not fit</source>
        <translation>大小为 %1 的一份不合适</translation>
    </message>
    <message>
        <source>the parts leave %1 of %2 over</source>
        <translation>各份之外 %2 中还剩 %1</translation>
    </message>
    <message>
        <source>the parts have the size %1</source>
        <translation>各份的大小为 %1</translation>
    </message>
    <message>
        <source>type %1 cannot be split</source>
        <translation>%1 类型不能切分</translation>
    </message>
    <message>
        <source>type %1 cannot be joined</source>
        <translation>%1 类型不能拼接</translation>
    </message>
    <message>
        <source>the tensors of the sequence differ in type or rank</source>
        <translation>序列中 Tensor 的类型或维数不同</translation>
    </message>
    <message>
        <source>the tensors of the sequence have different shapes</source>
        <translation>序列中 Tensor 的 shape 不同</translation>
    </message>
    <message>
        <source>the sequences have different lengths</source>
        <translation>各序列的长度不同</translation>
    </message>
    <message>
        <source>the optional has no value</source>
        <translation>optional 没有值</translation>
    </message>
    <message>
        <source>x of shape %1 needs %2 axes</source>
        <translation>shape 为 %1 的 x 应有 %2 个轴</translation>
    </message>
    <message>
        <source>filter of shape %1 needs %2 axes</source>
        <translation>shape 为 %1 的 filter 应有 %2 个轴</translation>
    </message>
    <message>
        <source>groups %1 is not allowed</source>
        <translation>groups 不能是 %1</translation>
    </message>
    <message>
        <source>x of shape %1 has %2 channels, filter %3 with %4 groups expects %5</source>
        <translation>shape 为 %1 的 x 有 %2 个通道，分 %4 组的 filter %3 需要 %5 个</translation>
    </message>
    <message>
        <source>channels cannot be divided into %1 groups</source>
        <translation>通道不能分成 %1 组</translation>
    </message>
    <message>
        <source>%1 channels cannot be divided into %2 groups</source>
        <translation>%1 个通道不能分成 %2 组</translation>
    </message>
    <message>
        <source>%1 output channels cannot be divided into %2 groups</source>
        <translation>%1 个输出通道不能分成 %2 组</translation>
    </message>
    <message>
        <source>bias of shape %1 does not fit %2 output channels</source>
        <translation>shape 为 %1 的 bias 与 %2 个输出通道不匹配</translation>
    </message>
    <message>
        <source>bias of %1 elements does not fit %2 output channels</source>
        <translation>%1 个元素的 bias 与 %2 个输出通道不匹配</translation>
    </message>
    <message>
        <source>added tensor of shape %1 does not fit %2</source>
        <translation>相加的 Tensor 的 shape %1 与 %2 不匹配</translation>
    </message>
    <message>
        <source>x and filter have different types</source>
        <translation>x 与 filter 的类型不同</translation>
    </message>
    <message>
        <source>the kernel takes filters as [Cout, Cin/groups, kernel] only</source>
        <translation>kernel 只接受 [Cout, Cin/groups, kernel] 形式的 filter</translation>
    </message>
    <message>
        <source>no activation is called &apos;%1&apos;</source>
        <translation>没有名为“%1”的激活函数</translation>
    </message>
    <message>
        <source>result shape %1 is too large</source>
        <translation>结果的 shape %1 过大</translation>
    </message>
    <message>
        <source>attribute &apos;auto_pad&apos; is &apos;%1&apos;</source>
        <translation>属性“auto_pad”为“%1”</translation>
    </message>
    <message>
        <source>%1 %2 is not allowed</source>
        <translation>%1 不能是 %2</translation>
    </message>
    <message>
        <source>kernel size 0 is not allowed</source>
        <translation>kernel size 不能为 0</translation>
    </message>
    <message>
        <source>kernel size %1 is not allowed</source>
        <translation>kernel size 不能为 %1</translation>
    </message>
    <message>
        <source>spatial size %1 is too large</source>
        <translation>空间尺寸 %1 过大</translation>
    </message>
    <message>
        <source>window of %1 does not fit the padded input of %2 on spatial axis %3</source>
        <translation>空间轴 %3 上，大小为 %1 的窗口大于填充后的输入 %2</translation>
    </message>
    <message>
        <source>pads of %1 and %2 leave no output on spatial axis %3</source>
        <translation>空间轴 %3 上，填充 %1 与 %2 使输出为空</translation>
    </message>
    <message>
        <source>offset_group %1 does not divide %2 channels</source>
        <translation>%2 个通道不能被 offset_group %1 整除</translation>
    </message>
    <message>
        <source>offset of shape %1 must be %2</source>
        <translation>offset 的 shape 为 %1，应为 %2</translation>
    </message>
    <message>
        <source>mask of shape %1 must be %2</source>
        <translation>mask 的 shape 为 %1，应为 %2</translation>
    </message>
    <message>
        <source>bias does not fit the output channels</source>
        <translation>bias 与输出通道不匹配</translation>
    </message>
    <message>
        <source>channels-last order is not supported</source>
        <translation>不支持通道在后的排列</translation>
    </message>
    <message>
        <source>fp64 is supported in channels-first order only</source>
        <translation>fp64 只支持通道在前的排列</translation>
    </message>
    <message>
        <source>bad term &apos;%1&apos; in the equation</source>
        <translation>equation 中的项“%1”有误</translation>
    </message>
    <message>
        <source>bad character &apos;%1&apos; in the equation</source>
        <translation>equation 中的字符“%1”有误</translation>
    </message>
    <message>
        <source>the equation &apos;%1&apos; has %2 terms for %3 inputs</source>
        <translation>equation“%1”有 %2 项，输入有 %3 个</translation>
    </message>
    <message>
        <source>term &apos;%1&apos; does not fit an input of rank %2</source>
        <translation>项“%1”与 %2 维的输入不匹配</translation>
    </message>
    <message>
        <source>output label &apos;%1&apos; is in no input</source>
        <translation>输出标签“%1”不在任何输入中</translation>
    </message>
    <message>
        <source>one label stands for sizes %1 and %2</source>
        <translation>同一标签对应的大小 %1 与 %2 不同</translation>
    </message>
    <message>
        <source>needs square matrices, not %1</source>
        <translation>需要方阵，而不是 %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no function of one tensor</source>
        <translation>“%1”不是单 Tensor 的函数</translation>
    </message>
    <message>
        <source>query of shape %1 is not [B, S, 3, N, D]</source>
        <translation>shape 为 %1 的 query 不是 [B, S, 3, N, D]</translation>
    </message>
    <message>
        <source>query of shape %1 does not hold 3 x %2 heads</source>
        <translation>shape 为 %1 的 query 容纳不了 3 x %2 个头</translation>
    </message>
    <message>
        <source>x of shape %1 does not hold 3 x %2 heads</source>
        <translation>shape 为 %1 的 x 容纳不了 3 x %2 个头</translation>
    </message>
    <message>
        <source>key and value are missing</source>
        <translation>缺少 key 和 value</translation>
    </message>
    <message>
        <source>head sizes of query and key differ: %1 and %2</source>
        <translation>query 与 key 的 head size 不同：%1 与 %2</translation>
    </message>
    <message>
        <source>key has %1 rows, value has %2</source>
        <translation>key 有 %1 行，value 有 %2 行</translation>
    </message>
    <message>
        <source>key and value have different head counts</source>
        <translation>key 与 value 的头数不同</translation>
    </message>
    <message>
        <source>query, key and value have different batch sizes</source>
        <translation>query、key 与 value 的 batch 大小不同</translation>
    </message>
    <message>
        <source>input %1 of shape %2 does not broadcast to the scores %3</source>
        <translation>shape 为 %2 的输入 %1 不能广播到分数 %3</translation>
    </message>
    <message>
        <source>attribute &apos;%1&apos; names no format: &apos;%2&apos;</source>
        <translation>属性“%1”给出的不是格式：“%2”</translation>
    </message>
    <message>
        <source>the logical shape of x is not known</source>
        <translation>x 的逻辑 shape 未知</translation>
    </message>
    <message>
        <source>x of shape %1 is not a tensor of shape %2 stored as %3</source>
        <translation>shape 为 %1 的 x 不是以 %3 存储的 shape 为 %2 的 Tensor</translation>
    </message>
    <message>
        <source>input %1 of shape %2 does not fit the result %3</source>
        <translation>shape 为 %2 的输入 %1 与结果 %3 不匹配</translation>
    </message>
    <message>
        <source>input %1 does not fit the result</source>
        <translation>输入 %1 与结果不匹配</translation>
    </message>
    <message>
        <source>w_gate has %1 columns, w_up %2</source>
        <translation>w_gate 有 %1 列，w_up 有 %2 列</translation>
    </message>
    <message>
        <source>w_gate and w_up give different shapes</source>
        <translation>w_gate 与 w_up 给出的 shape 不同</translation>
    </message>
    <message>
        <source>gamma of shape %1 does not fit x of shape %2</source>
        <translation>shape 为 %1 的 gamma 与 shape 为 %2 的 x 不匹配</translation>
    </message>
    <message>
        <source>x1 and x2 have different types</source>
        <translation>x1 与 x2 的类型不同</translation>
    </message>
    <message>
        <source>x2 of shape %1 does not fit x1 of shape %2</source>
        <translation>shape 为 %1 的 x2 与 shape 为 %2 的 x1 不匹配</translation>
    </message>
    <message>
        <source>x2 does not fit x1</source>
        <translation>x2 与 x1 不匹配</translation>
    </message>
    <message>
        <source>bias does not fit x1</source>
        <translation>bias 与 x1 不匹配</translation>
    </message>
    <message>
        <source>beta does not fit gamma</source>
        <translation>beta 与 gamma 不匹配</translation>
    </message>
    <message>
        <source>dim %1 does not exist in %2</source>
        <translation>%2 中没有第 %1 维</translation>
    </message>
    <message>
        <source>axis %1 of %2 cannot be halved</source>
        <translation>%2 的轴 %1 不能对半分</translation>
    </message>
    <message>
        <source>perm has %1 entries for %2</source>
        <translation>perm 有 %1 项，对应 %2</translation>
    </message>
    <message>
        <source>perm is no permutation</source>
        <translation>perm 不是排列</translation>
    </message>
    <message>
        <source>shape %1 does not hold the elements of %2</source>
        <translation>shape %1 容纳不了 %2 的元素</translation>
    </message>
    <message>
        <source>elements of less than a byte are not supported</source>
        <translation>不支持不足一字节的元素</translation>
    </message>
    <message>
        <source>index %1 lies outside a dim of %2</source>
        <translation>索引 %1 超出大小为 %2 的维度</translation>
    </message>
    <message>
        <source>batch_dims does not fit the indices</source>
        <translation>batch_dims 与索引不匹配</translation>
    </message>
    <message>
        <source>batch_dims lies behind the axis</source>
        <translation>batch_dims 在 axis 之后</translation>
    </message>
    <message>
        <source>batch dims of data and indices differ</source>
        <translation>数据与索引的 batch 维不同</translation>
    </message>
    <message>
        <source>data %1 and indices %2 have different ranks</source>
        <translation>数据 %1 与索引 %2 的维数不同</translation>
    </message>
    <message>
        <source>data and indices have different ranks</source>
        <translation>数据与索引的维数不同</translation>
    </message>
    <message>
        <source>indices %1 reach beyond data %2</source>
        <translation>索引 %1 超出数据 %2</translation>
    </message>
    <message>
        <source>indices of %1 numbers for a tensor of rank %2</source>
        <translation>每个索引有 %1 个数，Tensor 为 %2 维</translation>
    </message>
    <message>
        <source>type %1 cannot be combined</source>
        <translation>%1 类型不能合并</translation>
    </message>
    <message>
        <source>updates are %1, data are %2</source>
        <translation>updates 为 %1，数据为 %2</translation>
    </message>
    <message>
        <source>indices %1 and updates %2 differ</source>
        <translation>索引 %1 与 updates %2 不同</translation>
    </message>
    <message>
        <source>indices %1 reach beyond the data</source>
        <translation>索引 %1 超出数据</translation>
    </message>
    <message>
        <source>updates %1 do not hold %2 slices of %3 elements</source>
        <translation>updates %1 容纳不了 %2 个 %3 元素的切片</translation>
    </message>
    <message>
        <source>the wanted shape has the dim %1</source>
        <translation>目标 shape 含维度 %1</translation>
    </message>
    <message>
        <source>cache and update have different ranks</source>
        <translation>缓存与更新的维数不同</translation>
    </message>
    <message>
        <source>the axis is the batch</source>
        <translation>axis 是 batch 轴</translation>
    </message>
    <message>
        <source>update %1 does not fit the cache</source>
        <translation>更新 %1 与缓存不匹配</translation>
    </message>
    <message>
        <source>%1 write indices for a batch of %2</source>
        <translation>写入索引有 %1 个，batch 为 %2</translation>
    </message>
    <message>
        <source>%1 steps from %2 do not fit a cache of %3</source>
        <translation>从 %2 起的 %1 步放不进长度为 %3 的缓存</translation>
    </message>
    <message>
        <source>axis %1 does not exist in a result of rank %2</source>
        <translation>%2 维的结果没有轴 %1</translation>
    </message>
    <message>
        <source>the depth is %1</source>
        <translation>depth 为 %1</translation>
    </message>
    <message>
        <source>on and off must be single values of one type</source>
        <translation>on 与 off 必须是同类型的单个值</translation>
    </message>
    <message>
        <source>a scalar has no largest elements</source>
        <translation>标量没有最大的若干元素</translation>
    </message>
    <message>
        <source>k is %1, the dim is %2</source>
        <translation>k 为 %1，维度为 %2</translation>
    </message>
    <message>
        <source>elements of %1 have no order</source>
        <translation>%1 的元素不能排序</translation>
    </message>
    <message>
        <source>more than one axis</source>
        <translation>轴不止一个</translation>
    </message>
    <message>
        <source>x of shape %1 needs batch and channels</source>
        <translation>shape 为 %1 的 x 应有 batch 和通道</translation>
    </message>
    <message>
        <source>p of %1 is not allowed</source>
        <translation>p 不能为 %1</translation>
    </message>
    <message>
        <source>pooled_shape needs two positive sizes</source>
        <translation>pooled_shape 需要两个正的大小</translation>
    </message>
    <message>
        <source>rois must be a matrix</source>
        <translation>rois 必须是矩阵</translation>
    </message>
    <message>
        <source>x needs four axes</source>
        <translation>x 需要四个轴</translation>
    </message>
    <message>
        <source>needs x of four axes, rois of five columns and a pooled_shape of two sizes</source>
        <translation>需要四个轴的 x、五列的 rois 和两个大小的 pooled_shape</translation>
    </message>
    <message>
        <source>region %1 names image %2</source>
        <translation>区域 %1 指向图像 %2</translation>
    </message>
    <message>
        <source>output size %1 is not allowed</source>
        <translation>输出大小不能为 %1</translation>
    </message>
    <message>
        <source>x of shape %1 has no spatial axes</source>
        <translation>shape 为 %1 的 x 没有空间轴</translation>
    </message>
    <message>
        <source>pads leave no output</source>
        <translation>填充使输出为空</translation>
    </message>
    <message>
        <source>output_shape has another rank than x</source>
        <translation>output_shape 与 x 的维数不同</translation>
    </message>
    <message>
        <source>x and indices differ in shape</source>
        <translation>x 与索引的 shape 不同</translation>
    </message>
    <message>
        <source>index %1 lies outside %2</source>
        <translation>索引 %1 超出 %2</translation>
    </message>
    <message>
        <source>caches of shape %1 do not fit heads of %2</source>
        <translation>shape 为 %1 的缓存与大小为 %2 的头不匹配</translation>
    </message>
    <message>
        <source>position %1 lies outside the cache of %2</source>
        <translation>位置 %1 超出长度为 %2 的缓存</translation>
    </message>
    <message>
        <source>seqlens_k does not fit the batch</source>
        <translation>seqlens_k 与 batch 不匹配</translation>
    </message>
    <message>
        <source>key and value do not fit query</source>
        <translation>key、value 与 query 不匹配</translation>
    </message>
    <message>
        <source>sequence length %1 does not fit a cache of %2</source>
        <translation>序列长度 %1 与长度为 %2 的缓存不匹配</translation>
    </message>
    <message>
        <source>position_ids does not fit query</source>
        <translation>position_ids 与 query 不匹配</translation>
    </message>
    <message>
        <source>head_sink is not supported</source>
        <translation>不支持 head_sink</translation>
    </message>
    <message>
        <source>a dim of %1 is too long to interpolate</source>
        <translation>大小为 %1 的维度过长，无法插值</translation>
    </message>
    <message>
        <source>type %1 cannot be interpolated</source>
        <translation>%1 类型不能插值</translation>
    </message>
    <message>
        <source>boxes %1 and scores %2 do not fit</source>
        <translation>框 %1 与分数 %2 不匹配</translation>
    </message>
    <message>
        <source>input %1 must be one number</source>
        <translation>输入 %1 必须是单个数</translation>
    </message>
    <message>
        <source>%1 is not a batch of images</source>
        <translation>%1 不是一批图像</translation>
    </message>
    <message>
        <source>%1 are no regions [n, 5]</source>
        <translation>%1 不是 [n, 5] 形式的区域</translation>
    </message>
    <message>
        <source>a region lies in image %1, there are %2</source>
        <translation>有区域位于图像 %1，图像共 %2 个</translation>
    </message>
    <message>
        <source>a region takes too many samples</source>
        <translation>有区域的采样点过多</translation>
    </message>
    <message>
        <source>features %1 and regions %2 do not fit</source>
        <translation>特征 %1 与区域 %2 不匹配</translation>
    </message>
    <message>
        <source>roi_end_mode %1 is not supported</source>
        <translation>不支持 roi_end_mode %1</translation>
    </message>
    <message>
        <source>the pooled size is not positive</source>
        <translation>池化后的大小不是正数</translation>
    </message>
    <message>
        <source>an empty image has no regions</source>
        <translation>空图像没有区域</translation>
    </message>
    <message>
        <source>the interpolation mode &apos;%1&apos; is not known</source>
        <translation>未知的插值方式“%1”</translation>
    </message>
    <message>
        <source>the padding mode &apos;%1&apos; is not known</source>
        <translation>未知的填充方式“%1”</translation>
    </message>
    <message>
        <source>%1 cannot be sampled at %2</source>
        <translation>%1 不能在 %2 处采样</translation>
    </message>
    <message>
        <source>places of %1 numbers in an image of %2 dims</source>
        <translation>位置有 %1 个数，图像为 %2 维</translation>
    </message>
    <message>
        <source>an empty image cannot be sampled</source>
        <translation>空图像不能采样</translation>
    </message>
    <message>
        <source>an output size of %1 numbers</source>
        <translation>输出大小有 %1 个数</translation>
    </message>
    <message>
        <source>the output size is negative</source>
        <translation>输出大小为负</translation>
    </message>
    <message>
        <source>%1 are no matrices for a grid of %2 dims</source>
        <translation>%1 不是 %2 维网格的矩阵</translation>
    </message>
    <message>
        <source>shapes %1 and %2 cannot be broadcast together</source>
        <translation>shape %1 与 %2 不能相互广播</translation>
    </message>
    <message>
        <source>input %1 is %2, the first is %3</source>
        <translation>输入 %1 为 %2，第一个为 %3</translation>
    </message>
    <message>
        <source>output %1 of type %2 and shape %3 has no size</source>
        <translation>类型 %2、shape %3 的输出 %1 没有大小</translation>
    </message>
    <message>
        <source>input %1 is %2, not integers</source>
        <translation>输入 %1 为 %2，不是整数</translation>
    </message>
    <message>
        <source>input %1 is %2, not numbers</source>
        <translation>输入 %1 为 %2，不是数</translation>
    </message>
    <message>
        <source>cannot store numbers as %1</source>
        <translation>不能把数存为 %1</translation>
    </message>
    <message>
        <source>type %1 of input %2 is not supported</source>
        <translation>不支持输入 %2 的类型 %1</translation>
    </message>
    <message>
        <source>%1 elements do not fit the shape %2</source>
        <translation>%1 个元素与 shape %2 不匹配</translation>
    </message>
    <message>
        <source>an input is missing</source>
        <translation>缺少一个输入</translation>
    </message>
    <message>
        <source>inputs of types %1 and %2</source>
        <translation>输入的类型为 %1 与 %2</translation>
    </message>
    <message>
        <source>the condition is not bool</source>
        <translation>条件不是 bool</translation>
    </message>
    <message>
        <source>the two choices have different types</source>
        <translation>两个选项的类型不同</translation>
    </message>
    <message>
        <source>reduction &quot;%1&quot; is none of mean, sum, none</source>
        <translation>reduction &quot;%1&quot; 不是 mean、sum、none 之一</translation>
    </message>
    <message>
        <source>the targets do not fit the scores</source>
        <translation>目标与分数不匹配</translation>
    </message>
    <message>
        <source>there is not one weight for each class</source>
        <translation>不是每个类别都有一个权重</translation>
    </message>
    <message>
        <source>target %1 is not one of %2 classes</source>
        <translation>目标 %1 不是 %2 个类别之一</translation>
    </message>
    <message>
        <source>the scores need a rank of at least 2</source>
        <translation>分数至少应为 2 维</translation>
    </message>
    <message>
        <source>the targets are missing</source>
        <translation>缺少目标</translation>
    </message>
    <message>
        <source>targets of shape %1 do not fit scores of shape %2</source>
        <translation>shape 为 %1 的目标与 shape 为 %2 的分数不匹配</translation>
    </message>
    <message>
        <source>there are no classes</source>
        <translation>没有类别</translation>
    </message>
    <message>
        <source>a scalar cannot be multiplied as a matrix (%1 x %2)</source>
        <translation>标量不能作矩阵乘 (%1 x %2)</translation>
    </message>
    <message>
        <source>inner dims differ: %1 x %2</source>
        <translation>内维不同：%1 x %2</translation>
    </message>
    <message>
        <source>batch dims of %1 and %2 cannot be broadcast</source>
        <translation>%1 与 %2 的 batch 维不能广播</translation>
    </message>
    <message>
        <source>bias of shape %1 does not fit the result %2</source>
        <translation>shape 为 %1 的 bias 与结果 %2 不匹配</translation>
    </message>
    <message>
        <source>operands have different types: %1 and %2</source>
        <translation>操作数的类型不同：%1 与 %2</translation>
    </message>
    <message>
        <source>c of shape %1 does not fit the result %2</source>
        <translation>shape 为 %1 的 c 与结果 %2 不匹配</translation>
    </message>
    <message>
        <source>alpha and beta need one element each</source>
        <translation>alpha 与 beta 各需一个元素</translation>
    </message>
    <message>
        <source>axis must lie between 1 and the rank of x</source>
        <translation>axis 必须在 1 与 x 的维数之间</translation>
    </message>
    <message>
        <source>w needs at least two axes</source>
        <translation>w 至少需要两个轴</translation>
    </message>
    <message>
        <source>b of shape %1 does not fit the result</source>
        <translation>shape 为 %1 的 b 与结果不匹配</translation>
    </message>
    <message>
        <source>the result would have the shape %1</source>
        <translation>结果的 shape 将为 %1</translation>
    </message>
    <message>
        <source>the result of shape %1 would be larger than 2 GiB</source>
        <translation>shape 为 %1 的结果将超过 2 GiB</translation>
    </message>
    <message>
        <source>input %1 is a sequence, not a tensor</source>
        <translation>输入 %1 是序列，不是 Tensor</translation>
    </message>
    <message>
        <source>elements of type %1 cannot be moved</source>
        <translation>%1 类型的元素不能搬移</translation>
    </message>
    <message>
        <source>input %1 has %2 values, expected one</source>
        <translation>输入 %1 有 %2 个值，应为一个</translation>
    </message>
    <message>
        <source>input %1 holds %2, not an integer</source>
        <translation>输入 %1 为 %2，不是整数</translation>
    </message>
    <message>
        <source>x needs a rank of at least 2</source>
        <translation>x 至少应为 2 维</translation>
    </message>
    <message>
        <source>the number of neighbours is negative</source>
        <translation>邻域大小为负</translation>
    </message>
    <message>
        <source>the inputs are scalars</source>
        <translation>输入是标量</translation>
    </message>
    <message>
        <source>attribute dim is no axis of the inputs</source>
        <translation>属性 dim 不是输入的轴</translation>
    </message>
    <message>
        <source>input %1 has %2 numbers instead of %3</source>
        <translation>输入 %1 有 %2 个数，应为 %3 个</translation>
    </message>
    <message>
        <source>begin_norm_axis %1 does not exist in a tensor of rank %2</source>
        <translation>%2 维的 Tensor 没有 begin_norm_axis %1</translation>
    </message>
    <message>
        <source>input %1 of shape %2 does not fit %3</source>
        <translation>shape 为 %2 的输入 %1 与 %3 不匹配</translation>
    </message>
    <message>
        <source>gamma has a higher rank than x</source>
        <translation>gamma 的维数高于 x</translation>
    </message>
    <message>
        <source>x has no channels</source>
        <translation>x 没有通道</translation>
    </message>
    <message>
        <source>q_num_heads and kv_num_heads must be stated for three axes</source>
        <translation>三个轴时必须给出 q_num_heads 和 kv_num_heads</translation>
    </message>
    <message>
        <source>%1 heads do not divide %2</source>
        <translation>%2 不能被 %1 个头整除</translation>
    </message>
    <message>
        <source>past_key of shape %1 needs four axes</source>
        <translation>shape 为 %1 的 past_key 应有四个轴</translation>
    </message>
    <message>
        <source>attn_mask has no axes</source>
        <translation>attn_mask 没有轴</translation>
    </message>
    <message>
        <source>past_key and past_value come together</source>
        <translation>past_key 与 past_value 必须同时给出</translation>
    </message>
    <message>
        <source>past_key and past_value do not fit K and V</source>
        <translation>past_key、past_value 与 K、V 不匹配</translation>
    </message>
    <message>
        <source>nonpad_kv_seqlen does not fit the batch</source>
        <translation>nonpad_kv_seqlen 与 batch 不匹配</translation>
    </message>
    <message>
        <source>qk_matmul_output_mode %1 is not known</source>
        <translation>未知的 qk_matmul_output_mode %1</translation>
    </message>
    <message>
        <source>x of shape %1 needs three or four axes</source>
        <translation>shape 为 %1 的 x 应有三个或四个轴</translation>
    </message>
    <message>
        <source>num_heads %1 does not fit x of shape %2</source>
        <translation>num_heads %1 与 shape 为 %2 的 x 不匹配</translation>
    </message>
    <message>
        <source>caches of shape %1 do not fit %2 rotated elements</source>
        <translation>shape 为 %1 的缓存与 %2 个旋转元素不匹配</translation>
    </message>
    <message>
        <source>position_ids does not fit x</source>
        <translation>position_ids 与 x 不匹配</translation>
    </message>
    <message>
        <source>%1 is no quantised type</source>
        <translation>%1 不是量化类型</translation>
    </message>
    <message>
        <source>scales of shape %1 fit neither axis %2 of %3 nor its blocks</source>
        <translation>shape 为 %1 的 scales 与 %3 的轴 %2 及其分块都不匹配</translation>
    </message>
    <message>
        <source>scales and zero_points differ in size</source>
        <translation>scales 与 zero_points 的大小不同</translation>
    </message>
    <message>
        <source>x_scale and x_zero_point differ in size</source>
        <translation>x_scale 与 x_zero_point 的大小不同</translation>
    </message>
    <message>
        <source>input %1 is %2, not a quantised type</source>
        <translation>输入 %1 为 %2，不是量化类型</translation>
    </message>
    <message>
        <source>zero point of shape %1 does not fit %2</source>
        <translation>shape 为 %1 的零点与 %2 不匹配</translation>
    </message>
    <message>
        <source>input %1 has %2 scales for %3</source>
        <translation>输入 %1 有 %2 个 scale，对应 %3</translation>
    </message>
    <message>
        <source>y_scale and y_zero_point need one element each</source>
        <translation>y_scale 与 y_zero_point 各需一个元素</translation>
    </message>
    <message>
        <source>%1 filter zero points for %2 channels</source>
        <translation>filter 的零点有 %1 个，通道有 %2 个</translation>
    </message>
    <message>
        <source>bias of %1 elements for %2 channels</source>
        <translation>bias 有 %1 个元素，通道有 %2 个</translation>
    </message>
    <message>
        <source>the result is too large</source>
        <translation>结果过大</translation>
    </message>
    <message>
        <source>x_scale, y_scale and y_zero_point need one element each</source>
        <translation>x_scale、y_scale 与 y_zero_point 各需一个元素</translation>
    </message>
    <message>
        <source>scales do not fit the blocks</source>
        <translation>scales 与分块不匹配</translation>
    </message>
    <message>
        <source>zero_points do not fit the blocks</source>
        <translation>zero_points 与分块不匹配</translation>
    </message>
    <message>
        <source>g_idx is not supported</source>
        <translation>不支持 g_idx</translation>
    </message>
    <message>
        <source>bias does not fit the result</source>
        <translation>bias 与结果不匹配</translation>
    </message>
    <message>
        <source>%1 activations are given, %2 are needed</source>
        <translation>给出了 %1 个激活函数，需要 %2 个</translation>
    </message>
    <message>
        <source>direction &apos;%1&apos; is not known</source>
        <translation>未知的 direction“%1”</translation>
    </message>
    <message>
        <source>x of shape %1 needs three axes</source>
        <translation>shape 为 %1 的 x 应有三个轴</translation>
    </message>
    <message>
        <source>hidden_size is missing</source>
        <translation>缺少 hidden_size</translation>
    </message>
    <message>
        <source>%1 of shape %2 must be [%3, %4, %5]</source>
        <translation>%1 的 shape 为 %2，应为 [%3, %4, %5]</translation>
    </message>
    <message>
        <source>%1 of shape %2 must have %3 elements</source>
        <translation>%1 的 shape 为 %2，应有 %3 个元素</translation>
    </message>
    <message>
        <source>sequence_lens does not fit the batch</source>
        <translation>sequence_lens 与 batch 不匹配</translation>
    </message>
    <message>
        <source>sequence length %1 lies outside 0 to %2</source>
        <translation>序列长度 %1 不在 0 到 %2 之间</translation>
    </message>
    <message>
        <source>only the norms with p = 1 and p = 2 are supported</source>
        <translation>只支持 p = 1 和 p = 2 的范数</translation>
    </message>
    <message>
        <source>a scale is %1</source>
        <translation>有 scale 为 %1</translation>
    </message>
    <message>
        <source>a dim becomes too large</source>
        <translation>有维度过大</translation>
    </message>
    <message>
        <source>the coordinate transformation &apos;%1&apos; is not known</source>
        <translation>未知的坐标变换“%1”</translation>
    </message>
    <message>
        <source>the mode &apos;%1&apos; is not known</source>
        <translation>未知的 mode“%1”</translation>
    </message>
    <message>
        <source>the nearest mode &apos;%1&apos; is not known</source>
        <translation>未知的最近邻方式“%1”</translation>
    </message>
    <message>
        <source>%1 scales or sizes for %2 dims</source>
        <translation>scale 或大小有 %1 个，维度有 %2 个</translation>
    </message>
    <message>
        <source>%1 has no aspect ratio</source>
        <translation>%1 没有宽高比</translation>
    </message>
    <message>
        <source>a size is %1</source>
        <translation>有大小为 %1</translation>
    </message>
    <message>
        <source>an empty dim cannot grow</source>
        <translation>空维度不能放大</translation>
    </message>
    <message>
        <source>the region of interest does not fit the dims</source>
        <translation>感兴趣区域与维度不匹配</translation>
    </message>
    <message>
        <source>head size %1 is odd</source>
        <translation>head size %1 是奇数</translation>
    </message>
    <message>
        <source>input %1 of shape %2 does not broadcast to %3</source>
        <translation>shape 为 %2 的输入 %1 不能广播到 %3</translation>
    </message>
    <message>
        <source>mode %1 is not supported</source>
        <translation>不支持 mode %1</translation>
    </message>
    <message>
        <source>rotary_mode &apos;%1&apos; is not supported</source>
        <translation>不支持 rotary_mode“%1”</translation>
    </message>
    <message>
        <source>query and key need axes</source>
        <translation>query 与 key 需要有轴</translation>
    </message>
    <message>
        <source>the axis is not one number</source>
        <translation>axis 不是单个数</translation>
    </message>
    <message>
        <source>the axis has no elements</source>
        <translation>该轴没有元素</translation>
    </message>
    <message>
        <source>attribute dtype is neither int32 nor int64</source>
        <translation>属性 dtype 既不是 int32 也不是 int64</translation>
    </message>
    <message>
        <source>dim %1 of the new shape copies a dim that the input %2 lacks</source>
        <translation>新 shape 的第 %1 维要复制输入 %2 没有的维度</translation>
    </message>
    <message>
        <source>the new shape has more than one -1</source>
        <translation>新 shape 中的 -1 不止一个</translation>
    </message>
    <message>
        <source>the new shape has the dim %1</source>
        <translation>新 shape 含维度 %1</translation>
    </message>
    <message>
        <source>the new shape is too large</source>
        <translation>新 shape 过大</translation>
    </message>
    <message>
        <source>the input is too large</source>
        <translation>输入过大</translation>
    </message>
    <message>
        <source>%1 cannot be reshaped to [%2]</source>
        <translation>%1 不能重排为 [%2]</translation>
    </message>
    <message>
        <source>axis and num_axes lie outside the input&apos;s rank</source>
        <translation>axis 与 num_axes 超出输入的维数</translation>
    </message>
    <message>
        <source>dim %1 of %2 is not 1 and cannot be squeezed</source>
        <translation>%2 的第 %1 维不是 1，不能压缩</translation>
    </message>
    <message>
        <source>more than 64 axes</source>
        <translation>轴超过 64 个</translation>
    </message>
    <message>
        <source>an axis is named twice</source>
        <translation>有轴重复</translation>
    </message>
    <message>
        <source>axis and end_axis do not fit a tensor of rank %1</source>
        <translation>axis 与 end_axis 不适合 %1 维的 Tensor</translation>
    </message>
    <message>
        <source>%1 and %2 have different ranks</source>
        <translation>%1 与 %2 的维数不同</translation>
    </message>
    <message>
        <source>%1 and %2 differ outside axis %3</source>
        <translation>%1 与 %2 在轴 %3 之外不同</translation>
    </message>
    <message>
        <source>nothing to join</source>
        <translation>没有可拼接的内容</translation>
    </message>
    <message>
        <source>input %1 has another type than the first</source>
        <translation>输入 %1 的类型与第一个不同</translation>
    </message>
    <message>
        <source>%1 sizes for %2 outputs</source>
        <translation>大小有 %1 个，输出有 %2 个</translation>
    </message>
    <message>
        <source>a part would have the size %1</source>
        <translation>有一份的大小将为 %1</translation>
    </message>
    <message>
        <source>parts of %1 do not fit a dim of %2</source>
        <translation>大小为 %1 的各份与大小为 %2 的维度不符</translation>
    </message>
    <message>
        <source>the parts add up to %1, the dim is %2</source>
        <translation>各份之和为 %1，维度为 %2</translation>
    </message>
    <message>
        <source>a dim of %1 cannot be cut into %2 equal parts</source>
        <translation>大小为 %1 的维度不能等分为 %2 份</translation>
    </message>
    <message>
        <source>nothing to pack</source>
        <translation>没有可堆叠的内容</translation>
    </message>
    <message>
        <source>inputs have different ranks</source>
        <translation>输入的维数不同</translation>
    </message>
    <message>
        <source>inputs have different shapes</source>
        <translation>输入的 shape 不同</translation>
    </message>
    <message>
        <source>inputs have different shapes or types</source>
        <translation>输入的 shape 或类型不同</translation>
    </message>
    <message>
        <source>%1 outputs for a dim of %2</source>
        <translation>输出有 %1 个，维度为 %2</translation>
    </message>
    <message>
        <source>%1 multiples for a tensor of rank %2</source>
        <translation>multiples 有 %1 个，Tensor 为 %2 维</translation>
    </message>
    <message>
        <source>a multiple is %1</source>
        <translation>有倍数为 %1</translation>
    </message>
    <message>
        <source>a dim of %1 cannot be repeated %2 times</source>
        <translation>大小为 %1 的维度不能重复 %2 次</translation>
    </message>
    <message>
        <source>the wanted shape has fewer dims than the input</source>
        <translation>目标 shape 的维数少于输入</translation>
    </message>
    <message>
        <source>%1 cannot be broadcast to [%2]</source>
        <translation>%1 不能广播为 [%2]</translation>
    </message>
    <message>
        <source>the value has %1 elements, expected one</source>
        <translation>值有 %1 个元素，应为一个</translation>
    </message>
    <message>
        <source>the step of the range is 0 or not a number</source>
        <translation>序列的步长为 0 或不是数</translation>
    </message>
    <message>
        <source>the range from %1 to %2 by %3 is too long</source>
        <translation>从 %1 到 %2、步长 %3 的序列过长</translation>
    </message>
    <message>
        <source>a range of %1 is not possible</source>
        <translation>不能生成 %1 的序列</translation>
    </message>
    <message>
        <source>a matrix of %1 is not possible</source>
        <translation>不能生成 %1 的矩阵</translation>
    </message>
    <message>
        <source>the shape %1 has a negative dim</source>
        <translation>shape %1 含负的维度</translation>
    </message>
    <message>
        <source>%1 paddings for a tensor of rank %2</source>
        <translation>填充有 %1 个，Tensor 为 %2 维</translation>
    </message>
    <message>
        <source>a padding is larger than 2^40</source>
        <translation>有填充超过 2^40</translation>
    </message>
    <message>
        <source>the paddings %1 and %2 cut more than dim %3 of %4</source>
        <translation>填充 %1 与 %2 裁掉的超过 %4 的第 %3 维</translation>
    </message>
    <message>
        <source>the fill value must be one element of the input&apos;s type</source>
        <translation>填充值必须是输入类型的单个元素</translation>
    </message>
    <message>
        <source>an empty tensor %1 has no edge to repeat</source>
        <translation>空 Tensor %1 没有可重复的边缘</translation>
    </message>
    <message>
        <source>%1 sizes for %2 axes</source>
        <translation>大小有 %1 个，轴有 %2 个</translation>
    </message>
    <message>
        <source>the wanted size is %1</source>
        <translation>目标大小为 %1</translation>
    </message>
    <message>
        <source>sequence and batch are the same dim</source>
        <translation>序列与 batch 是同一维</translation>
    </message>
    <message>
        <source>%1 lengths for a batch of %2</source>
        <translation>长度有 %1 个，batch 为 %2</translation>
    </message>
    <message>
        <source>a length is %1, the sequence has %2</source>
        <translation>有长度为 %1，序列长 %2</translation>
    </message>
    <message>
        <source>an image of %1 dims and a block of %2</source>
        <translation>图像为 %1 维，块为 %2 维</translation>
    </message>
    <message>
        <source>dilation, stride and padding do not fit the image&apos;s dims</source>
        <translation>dilation、stride 与填充不符合图像的维数</translation>
    </message>
    <message>
        <source>a size, stride, dilation or padding is out of range</source>
        <translation>大小、stride、dilation 或填充超出范围</translation>
    </message>
    <message>
        <source>the block does not fit dim %1 of the image</source>
        <translation>块与图像的第 %1 维不匹配</translation>
    </message>
    <message>
        <source>the image is too large</source>
        <translation>图像过大</translation>
    </message>
    <message>
        <source>%1 are not columns</source>
        <translation>%1 不是列</translation>
    </message>
    <message>
        <source>%1 columns, the image has %2 positions</source>
        <translation>有 %1 列，图像有 %2 个位置</translation>
    </message>
    <message>
        <source>the block does not fit the columns</source>
        <translation>块与列不匹配</translation>
    </message>
    <message>
        <source>%1 rows are no multiple of the block of %2</source>
        <translation>%1 行不是块 %2 的整数倍</translation>
    </message>
    <message>
        <source>type %1 cannot be added up</source>
        <translation>%1 类型不能累加</translation>
    </message>
    <message>
        <source>index %1 lies outside dim %2 of %3</source>
        <translation>索引 %1 超出 %3 的第 %2 维</translation>
    </message>
    <message>
        <source>axes and begin have different lengths</source>
        <translation>axes 与 begin 的长度不同</translation>
    </message>
    <message>
        <source>begin, end and strides have different lengths</source>
        <translation>begin、end 与 strides 的长度不同</translation>
    </message>
    <message>
        <source>more slices than dims</source>
        <translation>切片多于维数</translation>
    </message>
    <message>
        <source>axis %1 is named twice</source>
        <translation>轴 %1 重复</translation>
    </message>
    <message>
        <source>more slices than the %1 dims</source>
        <translation>切片多于 %1 个维度</translation>
    </message>
    <message>
        <source>a stride is 0</source>
        <translation>有 stride 为 0</translation>
    </message>
    <message>
        <source>%1 offsets and %2 sizes for a tensor of rank %3</source>
        <translation>偏移 %1 个、大小 %2 个，Tensor 为 %3 维</translation>
    </message>
    <message>
        <source>offset %1 and size %2 do not fit dim %3 of %4</source>
        <translation>偏移 %1 与大小 %2 超出 %4 的第 %3 维</translation>
    </message>
    <message>
        <source>a permutation of %1 dims for a tensor of rank %2</source>
        <translation>排列有 %1 维，Tensor 为 %2 维</translation>
    </message>
    <message>
        <source>[%1] is not a permutation</source>
        <translation>[%1] 不是排列</translation>
    </message>
    <message>
        <source>the block size is %1</source>
        <translation>块大小为 %1</translation>
    </message>
    <message>
        <source>dim %1 of %2 is no multiple of %3</source>
        <translation>%2 的第 %1 维不是 %3 的整数倍</translation>
    </message>
    <message>
        <source>a result of %1 is not possible</source>
        <translation>结果不能是 %1</translation>
    </message>
    <message>
        <source>the size is %1</source>
        <translation>大小为 %1</translation>
    </message>
    <message>
        <source>a size or frequency is out of range</source>
        <translation>大小或频率超出范围</translation>
    </message>
    <message>
        <source>the frequency %1 lies outside the spectrum</source>
        <translation>频率 %1 超出频谱</translation>
    </message>
    <message>
        <source>axis %1 cannot be transformed in a tensor of rank %2</source>
        <translation>%2 维的 Tensor 不能沿轴 %1 变换</translation>
    </message>
    <message>
        <source>the last dim of %1 is neither 1 (real) nor 2 (complex)</source>
        <translation>%1 的最后一维既不是 1（实数）也不是 2（复数）</translation>
    </message>
    <message>
        <source>the transform has the length %1</source>
        <translation>变换长度为 %1</translation>
    </message>
    <message>
        <source>%1 is no batch of signals</source>
        <translation>%1 不是一批信号</translation>
    </message>
    <message>
        <source>frames of %1 every %2 do not fit a signal of %3</source>
        <translation>长 %1、步长 %2 的帧不适合长度为 %3 的信号</translation>
    </message>
    <message>
        <source>a window of %1 for frames of %2</source>
        <translation>窗长为 %1，帧长为 %2</translation>
    </message>
    <message>
        <source>no axis is given</source>
        <translation>没有给出轴</translation>
    </message>
    <message>
        <source>the axes are not neighbours</source>
        <translation>各轴不相邻</translation>
    </message>
    <message>
        <source>type %1 has no storage</source>
        <translation>%1 类型没有存储方式</translation>
    </message>
    <message>
        <source>elements of %1 bits cannot be moved</source>
        <translation>%1 位的元素不能搬移</translation>
    </message>
    <message>
        <source>a tensor of shape %1 in %2 cannot be stored as %3</source>
        <translation>shape 为 %1、格式为 %2 的 Tensor 不能存为 %3</translation>
    </message>
    <message>
        <source>a grouped filter needs known channels</source>
        <translation>分组 filter 的通道数必须已知</translation>
    </message>
    <message>
        <source>a grouped filter needs output channels</source>
        <translation>分组 filter 需要输出通道</translation>
    </message>
    <message>
        <source>a scalar cannot be stored as %1</source>
        <translation>标量不能存为 %1</translation>
    </message>
    <message>
        <source>%1 channels do not fit %2</source>
        <translation>%1 个通道与 %2 不匹配</translation>
    </message>
    <message>
        <source>a batch of %1 does not fit %2</source>
        <translation>大小为 %1 的 batch 与 %2 不匹配</translation>
    </message>
    <message>
        <source>no storage formula for format %1</source>
        <translation>没有格式 %1 的存储公式</translation>
    </message>
    <message>
        <source>shape %1 is not known</source>
        <translation>shape %1 未知</translation>
    </message>
    <message>
        <source>storage of %1 as %2 is too large</source>
        <translation>%1 存为 %2 过大</translation>
    </message>
    <message>
        <source>shape %1 in %2 has no form in %3</source>
        <translation>格式 %2 的 shape %1 在 %3 中没有对应形式</translation>
    </message>
    <message>
        <source>input %1 holds no strings</source>
        <translation>输入 %1 不是字符串</translation>
    </message>
    <message>
        <source>the strings grow beyond 2 GiB</source>
        <translation>字符串超过 2 GiB</translation>
    </message>
    <message>
        <source>%1 is neither [C] nor [1, C]</source>
        <translation>%1 既不是 [C] 也不是 [1, C]</translation>
    </message>
    <message>
        <source>the pattern is longer than %1 characters</source>
        <translation>模式超过 %1 个字符</translation>
    </message>
    <message>
        <source>a text is longer than %1 characters</source>
        <translation>有文本超过 %1 个字符</translation>
    </message>
    <message>
        <source>the pattern cannot be used: %1</source>
        <translation>模式不可用：%1</translation>
    </message>
    <message>
        <source>an n-gram has the column %1</source>
        <translation>有 n-gram 的列为 %1</translation>
    </message>
    <message>
        <source>there are no n-grams</source>
        <translation>没有 n-gram</translation>
    </message>
    <message>
        <source>the lengths of the n-grams make no range</source>
        <translation>n-gram 的长度不成范围</translation>
    </message>
    <message>
        <source>the pool of %1-grams has wrong bounds</source>
        <translation>%1-gram 池的边界有误</translation>
    </message>
    <message>
        <source>there are more n-grams than columns</source>
        <translation>n-gram 多于列数</translation>
    </message>
    <message>
        <source>%1 are no rows of words</source>
        <translation>%1 不是词的行</translation>
    </message>
    <message>
        <source>readers</source>
        <translation>个消费者</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>个输入</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>个输出</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>个算子</translation>
    </message>
    <message>
        <source>results</source>
        <translation>个结果</translation>
    </message>
    <message>
        <source>control edges</source>
        <translation>条控制边</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>个核</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>个元素</translation>
    </message>
    <message>
        <source>dims</source>
        <translation>维</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>个 Tensor</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>%1 (line %2, column %3)</source>
        <translation>%1（第 %2 行，第 %3 列）</translation>
    </message>
    <message>
        <source>not a %1</source>
        <translation>不是 %1</translation>
    </message>
    <message>
        <source>%1 of the operators in super-kernel scope &apos;%2&apos; stay outside; the first is %3: %4</source>
        <translation>SuperKernel scope“%2”中有 %1 个算子未加入；第一个是 %3：%4</translation>
    </message>
    <message>
        <source>%1 stands in super-kernel scope &apos;%2&apos; and is not part of it</source>
        <translation>%1 位于 SuperKernel scope“%2”内，但不属于它</translation>
    </message>
    <message>
        <source>%1; the scope is not joined (strict-scope-check=bypass)</source>
        <translation>%1；该 scope 不融合 (strict-scope-check=bypass)</translation>
    </message>
    <message>
        <source>%1; %2 places part the scope into %3 super kernels</source>
        <translation>%1；%2 处把该 scope 分成 %3 个 SuperKernel</translation>
    </message>
    <message>
        <source>it is a SIMT kernel (local_memory_size)</source>
        <translation>它是 SIMT kernel (local_memory_size)</translation>
    </message>
    <message>
        <source>it is no kernel of the AI cores but of: %1</source>
        <translation>它不是 AI Core 的 kernel，而是：%1</translation>
    </message>
    <message>
        <source>its kernel is not an AscendC one (supportSuperKernel)</source>
        <translation>其 kernel 不是 AscendC 的 (supportSuperKernel)</translation>
    </message>
    <message>
        <source>K and V do not fit together</source>
        <translation>K 与 V 不匹配</translation>
    </message>
    <message>
        <source>A of shape %1 has not %2 columns</source>
        <translation>shape 为 %1 的 A 不是 %2 列</translation>
    </message>
    <message>
        <source>B of shape %1 does not hold %2 x %3 weights of %4 bits</source>
        <translation>shape 为 %1 的 B 容纳不了 %2 x %3 个 %4 位权重</translation>
    </message>
    <message>
        <source>K, N, block_size and bits (2, 4 or 8) must be positive</source>
        <translation>K、N、block_size 与 bits（2、4 或 8）必须为正数</translation>
    </message>
    <message>
        <source>%1 is not a matrix</source>
        <translation>%1 不是矩阵</translation>
    </message>
    <message>
        <source>%1 samples of %2 classes</source>
        <translation>从 %2 个类别取 %1 个样本</translation>
    </message>
    <message>
        <source>random numbers of %1 are not possible</source>
        <translation>不能产生 %1 的随机数</translation>
    </message>
    <message>
        <source>the ratio is %1</source>
        <translation>ratio 为 %1</translation>
    </message>
    <message>
        <source>%1 (strict-scope-check=abort)</source>
        <translation>%1（strict-scope-check=abort）</translation>
    </message>
    <message>
        <source>output &apos;%1&apos; has no verdict in fp16: rounding its values, and nothing else, changes %2 of its %3 elements</source>
        <translation>输出“%1”在 fp16 下无法判定：仅对各值舍入就会改变 %3 个元素中的 %2 个</translation>
    </message>
    <message>
        <source>output &apos;%1&apos; does not fit fp16: rounding its values, and nothing else, makes %2 of its %3 elements infinite or NaN</source>
        <translation>输出“%1”超出 fp16 的范围：仅对各值舍入就会使 %3 个元素中的 %2 个变为无穷或 NaN</translation>
    </message>
    <message>
        <source>output &apos;%1&apos; is ill-conditioned in fp16: rounding its values, and nothing else, moves it by %2 % (root mean square); its bound follows from that</source>
        <translation>输出“%1”在 fp16 下是病态的：仅对各值舍入就会使其偏移 %2 %（均方根）；其容差由此得出</translation>
    </message>
    <message>
        <source>%1 steps give the imported model&apos;s numbers when they are computed with fp32 in place of fp16</source>
        <translation>用 fp32 代替 fp16 计算时，%1 个步骤得到与导入模型相同的数值</translation>
    </message>
    <message>
        <source>not proved with fp32 in place of fp16: %1</source>
        <translation>未能用 fp32 代替 fp16 证明：%1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) makes %3 infinite or NaN results out of zeros: numbers below %4 are zero in fp16</source>
        <translation>“%1”（%2）由零得到 %3 个无穷或 NaN 结果：小于 %4 的数在 fp16 中为零</translation>
    </message>
    <message>
        <source>fp16 overflows at &apos;%1&apos; (%2): it reads values up to %3, and %4 of its results are infinite or NaN; fp16 ends at %5</source>
        <translation>fp16 在“%1”（%2）处溢出：它读入的值最大为 %3，其结果中有 %4 个为无穷或 NaN；fp16 最大为 %5</translation>
    </message>
    <message>
        <source>skipped, as the options of the run ask</source>
        <translation>已跳过：运行选项要求如此</translation>
    </message>
    <message>
        <source>skipped, as an observer of the run asked</source>
        <translation>已跳过：运行的观察者要求如此</translation>
    </message>
    <message>
        <source>only a compile has passes to search through</source>
        <translation>只有编译运行才有 Pass 可供查找</translation>
    </message>
    <message>
        <source>passes can be left out of a full compile only</source>
        <translation>只有全量编译才能跳过 Pass</translation>
    </message>
    <message>
        <source>no step leaves a node &apos;%1&apos;</source>
        <translation>没有任何步骤之后存在节点“%1”</translation>
    </message>
    <message>
        <source>no step leaves a node of type &apos;%1&apos;</source>
        <translation>没有任何步骤之后存在类型为“%1”的节点</translation>
    </message>
    <message>
        <source>the name of what is gone is missing</source>
        <translation>缺少消失对象的名称</translation>
    </message>
    <message>
        <source>the condition is empty</source>
        <translation>条件为空</translation>
    </message>
    <message>
        <source>&apos;hits&apos; counts stops of a breakpoint</source>
        <translation>“hits”统计断点的停止次数</translation>
    </message>
    <message>
        <source>without the passes behind step %1 the run fails: %2</source>
        <translation>跳过第 %1 步之后的 Pass 时运行失败：%2</translation>
    </message>
    <message>
        <source>cannot make the folder</source>
        <translation>无法创建文件夹</translation>
    </message>
    <message>
        <source>cannot make the folder: %1</source>
        <translation>无法创建文件夹：%1</translation>
    </message>
    <message>
        <source>a Concat joins nothing that only reads the same tensor beside it</source>
        <translation>Concat 不与旁边仅读取同一 Tensor 的算子合并</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) is read from the kernel of a Concat, and is not its result</source>
        <translation>“%1”（%2）是从 Concat 的 kernel 中读取的，而不是它的结果</translation>
    </message>
    <message>
        <source>an operator behind a Concat spreads values over more than it reads</source>
        <translation>Concat 之后的算子把值广播到比所读更大的范围</translation>
    </message>
    <message>
        <source>what comes before the Concat loops over %1 axes, the Concat over %2</source>
        <translation>Concat 之前的部分循环 %1 个轴，Concat 循环 %2 个轴</translation>
    </message>
    <message>
        <source>only %1 of %2 results of &apos;%3&apos; would join their readers; more than a fifth have to</source>
        <translation>“%3”的 %2 个结果中只有 %1 个会与其消费者合并；必须多于五分之一</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) runs on the cube unit, whose kernels autofusion does not join on this chip</source>
        <translation>“%1”（%2）在 cube 单元上运行，自动融合在此芯片上不合并其 kernel</translation>
    </message>
    <message>
        <source>A rule for the product and its epilogue could join them.</source>
        <translation>可以用一条针对乘积及其后处理的规则把它们融合。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; on %2: %3 steps, %4 of them changed the graph, %5 ms</source>
        <translation>“%1”，%2：%3 步，其中 %4 步改变了图，%5 ms</translation>
    </message>
    <message>
        <source>a Concat joins nothing beside it</source>
        <translation>Concat 不与并列的算子融合</translation>
    </message>
    <message>
        <source>the inputs take %1 bytes with this one, more than the %2 bytes that the run may use</source>
        <translation>加上此输入，输入共 %1 字节，超过可用的 %2 字节</translation>
    </message>
    <message>
        <source>no session of GE Lens</source>
        <translation>不是 GE Lens 的会话文件</translation>
    </message>
    <message>
        <source>written by a newer version of GE Lens</source>
        <translation>由更新版本的 GE Lens 写出</translation>
    </message>
    <message>
        <source>too large for a session</source>
        <translation>文件过大，不是会话文件</translation>
    </message>
    <message>
        <source>no JSON at byte %1: %2</source>
        <translation>字节 %1 处不是 JSON：%2</translation>
    </message>
    <message>
        <source>UB fusion, counted by GE</source>
        <translation>UB 融合，由 GE 统计</translation>
    </message>
    <message>
        <source>graph fusion, counted by GE</source>
        <translation>图融合，由 GE 统计</translation>
    </message>
    <message>
        <source>%1 is not a text</source>
        <translation>%1 不是文本</translation>
    </message>
    <message>
        <source>%1 is not a number</source>
        <translation>%1 不是数字</translation>
    </message>
    <message>
        <source>%1 is not true or false</source>
        <translation>%1 不是 true 或 false</translation>
    </message>
    <message>
        <source>%1 is not a list</source>
        <translation>%1 不是列表</translation>
    </message>
    <message>
        <source>%1 is not an object</source>
        <translation>%1 不是对象</translation>
    </message>
    <message>
        <source>%1 is not a list of texts</source>
        <translation>%1 不是文本列表</translation>
    </message>
    <message>
        <source>%1 is not a whole number in quotes</source>
        <translation>%1 不是引号中的整数</translation>
    </message>
    <message>
        <source>%1 is not one of the known names</source>
        <translation>%1 不是已知的名称</translation>
    </message>
    <message>
        <source>%1 is not the path of a file</source>
        <translation>%1 不是文件路径</translation>
    </message>
    <message>
        <source>%1 is not a kind of breakpoint</source>
        <translation>%1 不是断点类型</translation>
    </message>
    <message>
        <source>the Cast before the clip must keep the type</source>
        <translation>截断之前的 Cast 不能改变类型</translation>
    </message>
    <message>
        <source>fusion_result.json counts %1 fusions that took effect, but no phase up to this one adds or removes a node</source>
        <translation>fusion_result.json 记录了 %1 次生效的融合，但到此阶段为止没有节点增减</translation>
    </message>
    <message>
        <source>fusion_result.json counts no effect of %1, but its name stands on nodes of this dump (%2, first &apos;%3&apos;)</source>
        <translation>fusion_result.json 记录的 %1 生效次数为 0，但此 dump 图的节点上有它的名称（%2 个，第一个为“%3”）</translation>
    </message>
    <message>
        <source>fusion_result.json counts effects of %1 (%2), but more scopes of this dump bear its name (%3)</source>
        <translation>fusion_result.json 记录的 %1 生效次数为 %2，但此 dump 图中带有它名称的融合 scope 更多（%3 个）</translation>
    </message>
    <message>
        <source>this dump does not tell whether the counts of %1 hold: no node bears their names</source>
        <translation>无法由此 dump 图判断 %1 的计数是否正确：没有节点带有它们的名称</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: %2 operators, %3 tasks, memory %4 bytes, estimated %5 ms</source>
        <translation>“%1”：%2 个算子，%3 个 Task，内存 %4 字节，仿真估算 %5 ms</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本文件</translation>
    </message>
    <message>
        <source>not a file of this computer; save it here and open that</source>
        <translation>不是本机文件；请先保存到本机再打开</translation>
    </message>
    <message>
        <source>&apos;%1&apos; names no tensor; one is named as node:output, such as */Softmax:0</source>
        <translation>“%1”不是 Tensor；Tensor 写作 节点:输出序号，例如 */Softmax:0</translation>
    </message>
    <message>
        <source>%1 x %2 pixels are too large for a PNG, which holds %3 a side.</source>
        <translation>%1 × %2 像素超出 PNG 的范围，每边最多 %3 像素。</translation>
    </message>
    <message>
        <source>Write SVG or PDF, which have no pixels, or fold blocks and try again.</source>
        <translation>请导出为不受像素限制的 SVG 或 PDF，或折叠重复结构后重试。</translation>
    </message>
    <message>
        <source>%1 nodes only in the dump (%2)</source>
        <translation>仅 dump 图中有 %1 个节点（%2）</translation>
    </message>
    <message>
        <source>%1 node only in the dump (%2)</source>
        <translation>仅 dump 图中有 %1 个节点（%2）</translation>
    </message>
    <message>
        <source>%1 nodes only simulated (%2)</source>
        <translation>仅仿真中有 %1 个节点（%2）</translation>
    </message>
    <message>
        <source>%1 node only simulated (%2)</source>
        <translation>仅仿真中有 %1 个节点（%2）</translation>
    </message>
    <message>
        <source>%1 nodes different (%2)</source>
        <translation>%1 个节点不同（%2）</translation>
    </message>
    <message>
        <source>%1 node different (%2)</source>
        <translation>%1 个节点不同（%2）</translation>
    </message>
    <message>
        <source>%1; first &apos;%2&apos; %3: simulated %4, real %5</source>
        <translation>%1；首先是“%2”的 %3：仿真为 %4，真实为 %5</translation>
    </message>
    <message>
        <source>%1; first &apos;%2&apos;</source>
        <translation>%1；首先是“%2”</translation>
    </message>
    <message>
        <source>nodes only in the dump</source>
        <translation>仅 dump 图中有的节点</translation>
    </message>
    <message>
        <source>nodes only simulated</source>
        <translation>仅仿真中有的节点</translation>
    </message>
    <message>
        <source>nodes that differ</source>
        <translation>不同的节点</translation>
    </message>
    <message>
        <source>all %1 phases that can be read agree</source>
        <translation>可读取的 %1 个阶段全部一致</translation>
    </message>
    <message>
        <source>nothing was compared</source>
        <translation>没有可比较的内容</translation>
    </message>
    <message>
        <source>%1; phases that cannot be read: %2</source>
        <translation>%1；无法读取的阶段：%2 个</translation>
    </message>
    <message>
        <source>input %1 is given as %2 and read as %3; a Reshape takes the place of the one that GE took out</source>
        <translation>输入 %1 的 shape 给出时为 %2，读取时为 %3；在 GE 去除 Reshape 处补回一个 Reshape</translation>
    </message>
    <message>
        <source>%1; GE has given the operator to an engine, so what it inferred is kept</source>
        <translation>%1；GE 已为该算子分配引擎，保留 GE 推导的结果</translation>
    </message>
    <message>
        <source>the file leaves out the attribute &apos;%1&apos; of %2, so its results stay as the file has them</source>
        <translation>文件中没有 %2 的属性“%1”，其输出保持文件所给的描述</translation>
    </message>
    <message>
        <source>the file leaves out the sub-graphs of %1, so its results stay as the file has them</source>
        <translation>文件中没有 %1 的子图，其输出保持文件所给的描述</translation>
    </message>
    <message>
        <source>output %1 is %2 in GE&apos;s graph and %3 by our inference; GE&apos;s is kept</source>
        <translation>输出 %1 在 GE 的图中为 %2，本工具推导为 %3；保留 GE 的描述</translation>
    </message>
    <message>
        <source>a Git LFS pointer, not the model itself</source>
        <translation>Git LFS 指针文件，而不是模型本身</translation>
    </message>
    <message>
        <source>dump folder</source>
        <translation>dump 图文件夹</translation>
    </message>
    <message>
        <source>simulation beside real dumps</source>
        <translation>仿真与真实 dump 对照</translation>
    </message>
    <message>
        <source>sparse tensor &apos;%1&apos;</source>
        <translation>稀疏 Tensor“%1”</translation>
    </message>
    <message>
        <source>tasks launched</source>
        <translation>下发的 Task</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Task</translation>
    </message>
</context>
<context>
    <name>gelens::SessionKeeper</name>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>Open session…</source>
        <translation>打开会话…</translation>
    </message>
    <message>
        <source>Open a session file with its models, breakpoints and notes</source>
        <translation>打开会话文件及其模型、断点和备注</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Save models, options, breakpoints, notes and runs to a file</source>
        <translation>将模型、选项、断点、备注和运行保存到文件</translation>
    </message>
    <message>
        <source>Save session as…</source>
        <translation>会话另存为…</translation>
    </message>
    <message>
        <source>Save the session to another file</source>
        <translation>将会话保存到另一个文件</translation>
    </message>
    <message>
        <source>Copy command line of this view</source>
        <translation>复制重现此视图的命令行</translation>
    </message>
    <message>
        <source>Copy the command that opens what is shown</source>
        <translation>复制打开当前内容的命令</translation>
    </message>
    <message>
        <source>Note on the node…</source>
        <translation>节点备注…</translation>
    </message>
    <message>
        <source>Write something down about the selected node</source>
        <translation>为选中节点写备注</translation>
    </message>
    <message>
        <source>Keep this search</source>
        <translation>保留此搜索</translation>
    </message>
    <message>
        <source>Keep the text of the graph&apos;s search line</source>
        <translation>保留图搜索框中的文本</translation>
    </message>
    <message>
        <source>Kept searches…</source>
        <translation>保留的搜索…</translation>
    </message>
    <message>
        <source>Search the graph again for a text that was kept</source>
        <translation>用保留的文本再次搜索图</translation>
    </message>
    <message>
        <source>The last session ended unexpectedly.</source>
        <translation>上次会话意外结束。</translation>
    </message>
    <message>
        <source>The last session ended unexpectedly: %1.</source>
        <translation>上次会话意外结束：%1。</translation>
    </message>
    <message>
        <source>Restore it</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard it</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Saved to %1</source>
        <translation>已保存到 %1</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Sessions (*.gelens)</source>
        <translation>会话 (*.gelens)</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>Note on the node</source>
        <translation>节点备注</translation>
    </message>
    <message>
        <source>The search line of the graph is empty.</source>
        <translation>图的搜索框为空。</translation>
    </message>
    <message>
        <source>Kept: %1</source>
        <translation>已保留：%1</translation>
    </message>
    <message>
        <source>Kept searches</source>
        <translation>保留的搜索</translation>
    </message>
    <message>
        <source>type to filter</source>
        <translation>输入以过滤</translation>
    </message>
</context>
<context>
    <name>gelens::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Chip for new models</source>
        <translation>新模型的芯片</translation>
    </message>
    <message>
        <source>filter…</source>
        <translation>过滤…</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>As shipped</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>%1 belongs to “%2”; take it away there first.</source>
        <translation>%1 已用于“%2”；请先在那里取消。</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Restore defaults</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Everything on this page as it was shipped</source>
        <translation>将本页全部恢复为出厂设置</translation>
    </message>
    <message>
        <source>All shortcuts are as shipped.</source>
        <translation>所有快捷键已恢复为出厂设置。</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
</context>
<context>
    <name>gelens::StateStack</name>
    <message>
        <source>The model is being compiled …</source>
        <translation>模型正在编译…</translation>
    </message>
    <message>
        <source>Cancel with Esc or ✕ in the status bar.</source>
        <translation>按 Esc 或状态栏中的 ✕ 取消。</translation>
    </message>
    <message>
        <source>The model could not be opened.</source>
        <translation>模型未能打开。</translation>
    </message>
    <message>
        <source>Choose another file with Ctrl+O; the log has the details.</source>
        <translation>按 Ctrl+O 选择其他文件；详情见日志。</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>尚未打开模型。</translation>
    </message>
    <message>
        <source>Open one with Ctrl+O, or drop a file on the window.</source>
        <translation>按 Ctrl+O 打开，或把文件拖到窗口上。</translation>
    </message>
</context>
<context>
    <name>gelens::StatisticsModel</name>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Reduction</source>
        <translation>降低</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Intermediate tensors</source>
        <translation>中间 Tensor</translation>
    </message>
    <message>
        <source>Memory (bytes)</source>
        <translation>内存（字节）</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>Latency, estimated (µs)</source>
        <translation>时延，仿真估算 (µs)</translation>
    </message>
    <message>
        <source>Nodes that compute; constants, inputs, outputs and views are not counted.</source>
        <translation>执行计算的节点；常量、输入、输出和视图不计。</translation>
    </message>
    <message>
        <source>Tensors that need memory of their own: no views, no in-place results.</source>
        <translation>需要独立内存的 Tensor：不含视图和原地结果。</translation>
    </message>
    <message>
        <source>Before: each intermediate tensor has its own allocation. After: planned peak. Weights are not counted.</source>
        <translation>之前：每个中间 Tensor 单独分配。之后：规划的峰值。不含权重。</translation>
    </message>
    <message>
        <source>Kernels launched on the device.</source>
        <translation>在设备上下发的算子任务。</translation>
    </message>
    <message>
        <source>From the cost model: one task after another, launched from the host, before; the sunk task list after.</source>
        <translation>来自代价模型。之前：由 Host 逐个下发；之后：下沉的 Task 列表。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Latency (est.)</source>
        <translation>时延（估算）</translation>
    </message>
</context>
<context>
    <name>gelens::OmFileModel</name>
    <message>
        <source>Where the bytes go</source>
        <translation>字节分布</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>operators, edges and attributes</source>
        <translation>算子、边与属性</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>kernel</translation>
    </message>
    <message>
        <source>none: the file was made by a simulator and carries no device binaries</source>
        <translation>无：该文件由仿真器生成，不含设备二进制</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>headers, padding and partitions that are only listed</source>
        <translation>文件头、填充以及仅列出的分区</translation>
    </message>
    <message>
        <source>duplicated constants</source>
        <translation>重复的常量</translation>
    </message>
    <message>
        <source>part of the weights: values that are stored more than once</source>
        <translation>计入权重：存了不止一次的数值</translation>
    </message>
    <message>
        <source>shared constants</source>
        <translation>共享的常量</translation>
    </message>
    <message>
        <source>saved: constants that lie at the same place</source>
        <translation>已节省：位于同一处的常量</translation>
    </message>
    <message>
        <source>Partitions (%1)</source>
        <translation>分区（%1）</translation>
    </message>
    <message>
        <source>read</source>
        <translation>已读取</translation>
    </message>
    <message>
        <source>listed only</source>
        <translation>仅列出</translation>
    </message>
    <message>
        <source>model %1, type %2, at byte %3</source>
        <translation>模型 %1，类型 %2，起始字节 %3</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Models (%1)</source>
        <translation>模型（%1）</translation>
    </message>
    <message>
        <source>%1 operators, %2 tasks, %3 streams, %4 events</source>
        <translation>%1 个算子，%2 个 Task，%3 条流，%4 个Event</translation>
    </message>
    <message>
        <source>device memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>as the file states it</source>
        <translation>以文件所述为准</translation>
    </message>
    <message>
        <source>of it zero-copy</source>
        <translation>其中零拷贝</translation>
    </message>
    <message>
        <source>inputs and outputs of the model</source>
        <translation>模型的输入与输出</translation>
    </message>
    <message>
        <source>weights on the device</source>
        <translation>设备上的权重</translation>
    </message>
    <message>
        <source>%1 tasks</source>
        <translation>%1 个 Task</translation>
    </message>
    <message>
        <source>Kernels (%1)</source>
        <translation>kernel（%1）</translation>
    </message>
    <message>
        <source>AI CPU</source>
        <translation>AI CPU</translation>
    </message>
    <message>
        <source>Part of the file</source>
        <translation>文件组成</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>说明</translation>
    </message>
</context>
<context>
    <name>gelens::StatisticsView</name>
    <message>
        <source>Memory: peak %1 · lower bound %2 · GE's own policy %3 · unshared %4 · weights %5</source>
        <translation>内存：峰值 %1 · 理论下界 %2 · GE 自身策略 %3 · 不复用 %4 · 权重 %5</translation>
    </message>
    <message>
        <source>Rates: fusion %1 · memory reuse %2</source>
        <translation>比率：融合率 %1 · 内存复用率 %2</translation>
    </message>
    <message>
        <source>Two runs are compared here; how often the rules fused is shown with the model itself.</source>
        <translation>此处对比的是两次运行；各融合规则的生效次数请切换到模型本身查看。</translation>
    </message>
    <message>
        <source>Latency gain, estimated: %1</source>
        <translation>时延收益（仿真估算）：%1</translation>
    </message>
    <message>
        <source>Latency gain, estimated: %1 = dispatch %2 + traffic %3 + compute %4</source>
        <translation>时延收益（仿真估算）：%1 = 下发 %2 + 访存 %3 + 计算 %4</translation>
    </message>
    <message>
        <source>Kernels: %1 compiled, %2 shared · engine time %3</source>
        <translation>kernel：编译 %1 个，共享 %2 个 · 引擎耗时 %3</translation>
    </message>
    <message>
        <source>Load: full compilation %1 · lightweight %2</source>
        <translation>加载：全量编译 %1 · 轻量级 %2</translation>
    </message>
    <message>
        <source>Operators: first phase against last. Weights: %1.</source>
        <translation>算子：第一个阶段与最后一个阶段对比。权重：%1。</translation>
    </message>
    <message>
        <source>Fusion rules</source>
        <translation>融合规则</translation>
    </message>
    <message>
        <source>Parts of the file</source>
        <translation>文件组成</translation>
    </message>
    <message>
        <source>Files bring no counts of fusion rules; open the model itself to have them.</source>
        <translation>文件中没有融合规则的次数；打开模型本身即可查看。</translation>
    </message>
    <message>
        <source>No fusion rule matched.</source>
        <translation>没有匹配的融合规则。</translation>
    </message>
    <message>
        <source>Beside these files no fusion_result.json was found, so how often a rule fused is not known.</source>
        <translation>文件旁没有 fusion_result.json，因此不知道各规则的融合次数。</translation>
    </message>
    <message>
        <source>The graph of step %1 has no %2.</source>
        <translation>第 %1 步的图中没有 %2。</translation>
    </message>
    <message>
        <source>Select all operators of this type</source>
        <translation>选中该类型的全部算子</translation>
    </message>
    <message>
        <source>Neither graph has an operator.</source>
        <translation>前后两张图中都没有算子。</translation>
    </message>
    <message>
        <source>There are no figures of this run.</source>
        <translation>没有此次编译的统计数据。</translation>
    </message>
    <message>
        <source>What the run did not get to has no figures.</source>
        <translation>运行未进行到的部分没有数值。</translation>
    </message>
</context>
<context>
    <name>gelens::StepStrip</name>
    <message>
        <source>step %1 of %2 · %3 changed this graph</source>
        <translation>第 %1 / %2 步 · 其中 %3 步改变了图</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>%1 edits · operators %2 → %3 · %4</source>
        <translation>%1 处改动 · 算子 %2 → %3 · %4</translation>
    </message>
    <message>
        <source>changed nothing</source>
        <translation>没有变更</translation>
    </message>
    <message>
        <source>filter steps…</source>
        <translation>过滤步骤…</translation>
    </message>
    <message>
        <source>Only steps whose pass, rule or phase is called so</source>
        <translation>仅显示 Pass、规则或阶段名称匹配的步骤</translation>
    </message>
    <message>
        <source>changed only</source>
        <translation>仅有变更的</translation>
    </message>
    <message>
        <source>Leave out steps that changed nothing</source>
        <translation>隐藏没有改动的步骤</translation>
    </message>
    <message>
        <source>touches selection</source>
        <translation>涉及所选节点</translation>
    </message>
    <message>
        <source>Only steps that touched the selected node</source>
        <translation>仅显示改动过选中节点的步骤</translation>
    </message>
    <message>
        <source>Export the step strip</source>
        <translation>导出步骤条</translation>
    </message>
    <message>
        <source>Filter steps</source>
        <translation>筛选步骤</translation>
    </message>
</context>
<context>
    <name>gelens::Summary</name>
    <message>
        <source>(x − mean) / sqrt(variance + ε) · γ + β from its parts becomes one LayerNorm</source>
        <translation>由各部分组成的 (x − mean) / sqrt(variance + ε) · γ + β 变为一个 LayerNorm</translation>
    </message>
    <message>
        <source>(x − y)² becomes one SquaredDifference</source>
        <translation>(x − y)² 变为一个 SquaredDifference</translation>
    </message>
    <message>
        <source>1 / √x becomes one Rsqrt</source>
        <translation>1 / √x 变为一个 Rsqrt</translation>
    </message>
    <message>
        <source>A bias added behind a Reshape of a matrix product moves into the product</source>
        <translation>矩阵乘经 Reshape 后所加的偏置移入矩阵乘</translation>
    </message>
    <message>
        <source>A bias added to a convolution becomes its third operand</source>
        <translation>卷积后所加的偏置成为其第三个输入</translation>
    </message>
    <message>
        <source>A bias added to a matrix product becomes its third operand</source>
        <translation>矩阵乘后所加的偏置成为其第三个输入</translation>
    </message>
    <message>
        <source>A border of zeros before Conv2D becomes its own padding</source>
        <translation>Conv2D 之前的补零成为其自身的 padding</translation>
    </message>
    <message>
        <source>A border of zeros before DepthwiseConv2D becomes its own padding</source>
        <translation>DepthwiseConv2D 之前的补零成为其自身的 padding</translation>
    </message>
    <message>
        <source>A factor for each channel after a convolution is folded into filter and bias</source>
        <translation>卷积后的逐通道系数折叠进卷积核和偏置</translation>
    </message>
    <message>
        <source>A packed product of gate and value shares one kernel with the SwiGlu behind it</source>
        <translation>gate 与 value 的打包矩阵乘与其后的 SwiGlu 合为一个 kernel</translation>
    </message>
    <message>
        <source>A tensor is added as the batched matrix product leaves the cube</source>
        <translation>批量矩阵乘结果离开 Cube 时加上一个 Tensor</translation>
    </message>
    <message>
        <source>A tensor times one number, added to another, becomes one FusedMulAddN</source>
        <translation>Tensor 乘以一个数再加上另一个 Tensor，变为一个 FusedMulAddN</translation>
    </message>
    <message>
        <source>A transpose of the last two dims before a matrix product becomes its flag adj_x1</source>
        <translation>矩阵乘之前对最后两维的转置成为其 adj_x1 标志</translation>
    </message>
    <message>
        <source>A transpose of the last two dims before a matrix product becomes its flag adj_x2</source>
        <translation>矩阵乘之前对最后两维的转置成为其 adj_x2 标志</translation>
    </message>
    <message>
        <source>A transpose of the last two dims before a matrix product becomes its flag transpose_x1</source>
        <translation>矩阵乘之前对最后两维的转置成为其 transpose_x1 标志</translation>
    </message>
    <message>
        <source>A transpose of the last two dims before a matrix product becomes its flag transpose_x2</source>
        <translation>矩阵乘之前对最后两维的转置成为其 transpose_x2 标志</translation>
    </message>
    <message>
        <source>AddRmsNorm writes y over x1 and the sum over x2 where nothing else reads them</source>
        <translation>在没有其他消费者时，AddRmsNorm 将 y 写入 x1、将和写入 x2</translation>
    </message>
    <message>
        <source>An activation runs as the matrix product leaves the cube</source>
        <translation>矩阵乘结果离开 Cube 时执行激活函数</translation>
    </message>
    <message>
        <source>Attention of any length: the keys are tiled, softmax runs online</source>
        <translation>任意长度的注意力：对 key 分块，在线计算 softmax</translation>
    </message>
    <message>
        <source>Batch normalisation of a convolution is folded into filter and bias</source>
        <translation>卷积后的批归一化折叠进卷积核和偏置</translation>
    </message>
    <message>
        <source>Batch normalisation of a transposed convolution is folded into filter and bias</source>
        <translation>转置卷积后的批归一化折叠进卷积核和偏置</translation>
    </message>
    <message>
        <source>Batch normalisation of inference becomes BNInfer</source>
        <translation>推理态批归一化变为 BNInfer</translation>
    </message>
    <message>
        <source>Cast, Relu and Cast back become one Relu</source>
        <translation>Cast、Relu 和反向 Cast 变为一个 Relu</translation>
    </message>
    <message>
        <source>Convolution and ClipByValue share one kernel</source>
        <translation>卷积与 ClipByValue 合为一个 kernel</translation>
    </message>
    <message>
        <source>Convolution and HardSwish share one kernel</source>
        <translation>卷积与 HardSwish 合为一个 kernel</translation>
    </message>
    <message>
        <source>Convolution and a one-input element-wise operator share one kernel</source>
        <translation>卷积与单输入逐元素算子合为一个 kernel</translation>
    </message>
    <message>
        <source>Convolution, a tensor added to it and Relu share one kernel</source>
        <translation>卷积、与之相加的 Tensor 及 Relu 合为一个 kernel</translation>
    </message>
    <message>
        <source>Gate and value products and SwiGlu share one kernel: the gate runs on the vector unit as results leave the cube</source>
        <translation>gate 与 value 的矩阵乘和 SwiGlu 合为一个 kernel：结果离开 Cube 时在 Vector 上计算 gate</translation>
    </message>
    <message>
        <source>Gate and value products and SwiGlu share one mix kernel: cube and vector cores hand tiles over through L2</source>
        <translation>gate 与 value 的矩阵乘和 SwiGlu 合为一个 mix kernel：Cube 核与 Vector 核经 L2 传递分块</translation>
    </message>
    <message>
        <source>InstanceNorm between two Reshapes, with factor and shift for each channel, becomes one GroupNorm</source>
        <translation>两个 Reshape 之间的 InstanceNorm 及逐通道系数和偏移变为一个 GroupNorm</translation>
    </message>
    <message>
        <source>Keys and values that were repeated for groups of query heads are read once for each group</source>
        <translation>为多组 query 头重复的 key 和 value 每组只读一次</translation>
    </message>
    <message>
        <source>Maximum of Minimum becomes one ClipByValue where the bounds are in order</source>
        <translation>上下界有序时，Minimum 后的 Maximum 变为一个 ClipByValue</translation>
    </message>
    <message>
        <source>Minimum of Maximum becomes one ClipByValue</source>
        <translation>Maximum 后的 Minimum 变为一个 ClipByValue</translation>
    </message>
    <message>
        <source>On split cores the products of gate and value become one product with both weights side by side</source>
        <translation>在分离核上，gate 与 value 的矩阵乘将两份权重并排合为一个矩阵乘</translation>
    </message>
    <message>
        <source>On split cores the products of gate and value become one grouped product with two results</source>
        <translation>在分离核上，gate 与 value 的矩阵乘合为一个有两个结果的分组矩阵乘</translation>
    </message>
    <message>
        <source>A grouped product of gate and value shares one kernel with the SwiGlu behind it</source>
        <translation>gate 与 value 的分组矩阵乘与其后的 SwiGlu 共用一个 kernel</translation>
    </message>
    <message>
        <source>Product and sum of equal shapes become one FusedMulAdd</source>
        <translation>相同 shape 的乘与加变为一个 FusedMulAdd</translation>
    </message>
    <message>
        <source>Relu runs as the batched matrix product leaves the cube</source>
        <translation>批量矩阵乘结果离开 Cube 时执行 Relu</translation>
    </message>
    <message>
        <source>Residual Add before LayerNorm joins it; the sum stays available as its fourth result</source>
        <translation>LayerNorm 之前的残差 Add 并入其中；和作为第四个输出保留</translation>
    </message>
    <message>
        <source>Residual Add before RmsNorm joins it; the sum stays available as its third result</source>
        <translation>RmsNorm 之前的残差 Add 并入其中；和作为第三个输出保留</translation>
    </message>
    <message>
        <source>Rotary embedding and attention work on the packed q, k and v; transpose and splits are absorbed</source>
        <translation>旋转位置编码和注意力直接处理打包的 q、k、v；转置和切分被吸收</translation>
    </message>
    <message>
        <source>RotaryMul becomes RotaryPositionEmbedding</source>
        <translation>RotaryMul 变为 RotaryPositionEmbedding</translation>
    </message>
    <message>
        <source>Scores, scale, mask, softmax and context product become one FlashAttentionScore</source>
        <translation>分数、缩放、掩码、softmax 和上下文矩阵乘变为一个 FlashAttentionScore</translation>
    </message>
    <message>
        <source>Square and ReduceSum become one SquareSumV1</source>
        <translation>Square 与 ReduceSum 变为一个 SquareSumV1</translation>
    </message>
    <message>
        <source>SwiGlu of the two halves of one tensor reads it whole</source>
        <translation>对同一 Tensor 两半的 SwiGlu 改为整体读取</translation>
    </message>
    <message>
        <source>The matrix product becomes its third version</source>
        <translation>矩阵乘换为其 V3 版本</translation>
    </message>
    <message>
        <source>The product is scaled by one number as it leaves the cube</source>
        <translation>矩阵乘结果离开 Cube 时乘以一个数</translation>
    </message>
    <message>
        <source>The reshape that merges the heads after attention is absorbed: the result is [batch, tokens, hidden size]</source>
        <translation>注意力之后合并各头的 Reshape 被吸收：结果为 [batch, tokens, hidden size]</translation>
    </message>
    <message>
        <source>The reshape that splits packed q, k and v into heads is absorbed by rotary embedding and attention</source>
        <translation>将打包的 q、k、v 切分为各头的 Reshape 被旋转位置编码和注意力吸收</translation>
    </message>
    <message>
        <source>The reshape that splits the heads of the keys is absorbed</source>
        <translation>切分 key 各头的 Reshape 被吸收</translation>
    </message>
    <message>
        <source>The reshape that splits the heads of the queries is absorbed</source>
        <translation>切分 query 各头的 Reshape 被吸收</translation>
    </message>
    <message>
        <source>The reshape that splits the heads of the values is absorbed</source>
        <translation>切分 value 各头的 Reshape 被吸收</translation>
    </message>
    <message>
        <source>The transpose that merges the heads after attention is absorbed</source>
        <translation>注意力之后合并各头的转置被吸收</translation>
    </message>
    <message>
        <source>The transpose that splits the heads of the keys is absorbed</source>
        <translation>切分 key 各头的转置被吸收</translation>
    </message>
    <message>
        <source>The transpose that splits the heads of the queries is absorbed</source>
        <translation>切分 query 各头的转置被吸收</translation>
    </message>
    <message>
        <source>The transpose that splits the heads of the values is absorbed</source>
        <translation>切分 value 各头的转置被吸收</translation>
    </message>
    <message>
        <source>Transpose and the Reshape behind it become one ConfusionTransposeD</source>
        <translation>Transpose 及其后的 Reshape 变为一个 ConfusionTransposeD</translation>
    </message>
    <message>
        <source>Two casts of which the first loses nothing become one</source>
        <translation>首个不损失精度的两个 Cast 变为一个</translation>
    </message>
    <message>
        <source>exp(x − max) / sum(exp(x − max)) becomes one SoftmaxV2</source>
        <translation>exp(x − max) / sum(exp(x − max)) 变为一个 SoftmaxV2</translation>
    </message>
    <message>
        <source>gate · sigmoid(gate) · up becomes one SwiGlu on two tensors</source>
        <translation>gate · sigmoid(gate) · up 变为一个双输入 SwiGlu</translation>
    </message>
    <message>
        <source>gelu(gate) · value becomes one GeGlu on two tensors</source>
        <translation>gelu(gate) · value 变为一个双输入 GeGlu</translation>
    </message>
    <message>
        <source>log(1 + exp(x)) becomes one Softplus</source>
        <translation>log(1 + exp(x)) 变为一个 Softplus</translation>
    </message>
    <message>
        <source>log(softmax(x)) becomes one LogSoftmaxV2</source>
        <translation>log(softmax(x)) 变为一个 LogSoftmaxV2</translation>
    </message>
    <message>
        <source>max(x, 0) becomes one Relu</source>
        <translation>max(x, 0) 变为一个 Relu</translation>
    </message>
    <message>
        <source>max(x, a · x) with 0 &lt; a &lt; 1 becomes one LeakyRelu</source>
        <translation>0 &lt; a &lt; 1 时，max(x, a · x) 变为一个 LeakyRelu</translation>
    </message>
    <message>
        <source>min(max(x + 3, 0), 6) / 6 becomes one HardSigmoid</source>
        <translation>min(max(x + 3, 0), 6) / 6 变为一个 HardSigmoid</translation>
    </message>
    <message>
        <source>x / sqrt(mean(x²) + ε) · γ from its parts becomes one RmsNorm</source>
        <translation>由各部分组成的 x / sqrt(mean(x²) + ε) · γ 变为一个 RmsNorm</translation>
    </message>
    <message>
        <source>x · (1 + erf(x / √2)) / 2 from its parts becomes one GeluV2</source>
        <translation>由各部分组成的 x · (1 + erf(x / √2)) / 2 变为一个 GeluV2</translation>
    </message>
    <message>
        <source>x · (1 + tanh(√(2/π) · (x + 0.044715 · x³))) / 2 from its parts becomes one Gelu</source>
        <translation>由各部分组成的 x · (1 + tanh(√(2/π) · (x + 0.044715 · x³))) / 2 变为一个 Gelu</translation>
    </message>
    <message>
        <source>x · (γ / sqrt(variance + ε)) + (β − mean · (γ / sqrt(variance + ε))) becomes one LayerNorm</source>
        <translation>x · (γ / sqrt(variance + ε)) + (β − mean · (γ / sqrt(variance + ε))) 变为一个 LayerNorm</translation>
    </message>
    <message>
        <source>x · cos + rotate_half(x) · sin from its parts becomes one RotaryPositionEmbedding</source>
        <translation>由各部分组成的 x · cos + rotate_half(x) · sin 变为一个 RotaryPositionEmbedding</translation>
    </message>
    <message>
        <source>x · relu6(x + 3) / 6 becomes one HardSwish</source>
        <translation>x · relu6(x + 3) / 6 变为一个 HardSwish</translation>
    </message>
    <message>
        <source>x · sigmoid(x) becomes one Swish</source>
        <translation>x · sigmoid(x) 变为一个 Swish</translation>
    </message>
    <message>
        <source>x · tanh(softplus(x)) becomes one Mish</source>
        <translation>x · tanh(softplus(x)) 变为一个 Mish</translation>
    </message>
    <message>
        <source>Cancels neighbouring TransData that undo each other.</source>
        <translation>消除相邻且互逆的 TransData。</translation>
    </message>
    <message>
        <source>Casts the scalar condition of an If to int32.</source>
        <translation>将 If 的标量条件转换为 int32。</translation>
    </message>
    <message>
        <source>Chooses engine and kernel library of every node.</source>
        <translation>为每个节点选择引擎和算子信息库。</translation>
    </message>
    <message>
        <source>Chooses the element type of every operator by the precision mode and inserts Casts.</source>
        <translation>按精度模式为每个算子选择数据类型并插入 Cast。</translation>
    </message>
    <message>
        <source>Computes every node whose inputs are all constant, with the reference kernels.</source>
        <translation>用参考实现计算所有输入均为常量的节点。</translation>
    </message>
    <message>
        <source>Creates or completes the single NetOutput node; nodes without readers are tied to it.</source>
        <translation>创建或补全唯一的 NetOutput 节点；没有消费者的节点与之相连。</translation>
    </message>
    <message>
        <source>Deletes everything that no output depends on; unused inputs stay, by a control edge.</source>
        <translation>删除输出不依赖的一切；未使用的输入以控制边保留。</translation>
    </message>
    <message>
        <source>Deletes what stage 1 left without use.</source>
        <translation>删除第一阶段后不再使用的内容。</translation>
    </message>
    <message>
        <source>Folds what layout left on constants: weights end in their storage format.</source>
        <translation>折叠 Layout 优化在常量上留下的转换：权重以其存储格式保存。</translation>
    </message>
    <message>
        <source>Gives cube operators their storage formats and lets neighbours follow.</source>
        <translation>为 Cube 算子选定存储格式，并让相邻算子随之调整。</translation>
    </message>
    <message>
        <source>Gives every tensor its element type and shape; shape arithmetic is followed by value.</source>
        <translation>推导每个 Tensor 的数据类型和 shape；shape 运算按值跟踪。</translation>
    </message>
    <message>
        <source>Inserts TransData where producer and reader store a tensor in different formats.</source>
        <translation>在生产者与消费者的存储格式不同处插入 TransData。</translation>
    </message>
    <message>
        <source>Launches the tasks on the simulated NPU, in order, and advances its clock.</source>
        <translation>按顺序在仿真 NPU 上下发 Task 并推进时钟。</translation>
    </message>
    <message>
        <source>Makes one task for each kernel: handle, input and output addresses, stream.</source>
        <translation>为每个 kernel 生成一个 Task：句柄、输入输出地址、流。</translation>
    </message>
    <message>
        <source>Marks Shape, ShapeN, Rank and Size of known shapes as constants to be.</source>
        <translation>将已知 shape 的 Shape、ShapeN、Rank、Size 标记为潜在常量。</translation>
    </message>
    <message>
        <source>Marks nodes whose every output has no elements as constants to be.</source>
        <translation>将所有输出均为空的节点标记为潜在常量。</translation>
    </message>
    <message>
        <source>Merges constants of equal type, dims and bytes, whatever their size.</source>
        <translation>合并类型、维度和内容相同的常量，不限大小。</translation>
    </message>
    <message>
        <source>Merges conversions (dims, order, type, layout) that do the same to the same tensor.</source>
        <translation>合并对同一 Tensor 做相同转换（维度、顺序、类型、格式）的算子。</translation>
    </message>
    <message>
        <source>Merges equal TransData nodes that read the same output.</source>
        <translation>合并读取同一输出的相同 TransData 节点。</translation>
    </message>
    <message>
        <source>Merges equal constants that the fusion engine marked as one element.</source>
        <translation>合并融合引擎标记为单元素的相同常量。</translation>
    </message>
    <message>
        <source>Merges nodes that compute the same from the same inputs to the earliest of them.</source>
        <translation>将输入相同、计算相同的节点合并到其中最早的一个。</translation>
    </message>
    <message>
        <source>Orders the graph and gives every node a logical stream.</source>
        <translation>对图排序并为每个节点分配逻辑流。</translation>
    </message>
    <message>
        <source>Puts a Reshape on every edge whose two ends disagree in their dims.</source>
        <translation>在两端维度不一致的边上插入 Reshape。</translation>
    </message>
    <message>
        <source>Reconnects the readers of an Identity to what it copies.</source>
        <translation>将 Identity 的消费者直接连到其来源。</translation>
    </message>
    <message>
        <source>Removes Casts that change nothing, alone or as a pair.</source>
        <translation>删除单独或成对后不起作用的 Cast。</translation>
    </message>
    <message>
        <source>Removes Dropout and other single-input nodes that pass their input on in inference.</source>
        <translation>删除推理时直通的 Dropout 等单输入节点。</translation>
    </message>
    <message>
        <source>Removes a Reshape whose input already has the wanted dims.</source>
        <translation>删除输入已是目标维度的 Reshape。</translation>
    </message>
    <message>
        <source>Removes a Transpose that moves nothing: the identity, or only axes of length one.</source>
        <translation>删除不起作用的 Transpose：恒等，或只移动长度为 1 的轴。</translation>
    </message>
    <message>
        <source>Removes an AddN of one input.</source>
        <translation>删除单输入的 AddN。</translation>
    </message>
    <message>
        <source>Removes control edges that start at constants, and constants that nobody reads.</source>
        <translation>删除从常量出发的控制边，以及无人读取的常量。</translation>
    </message>
    <message>
        <source>Replaces Shape, ShapeN, Rank and Size of known shapes by constants.</source>
        <translation>将已知 shape 的 Shape、ShapeN、Rank、Size 替换为常量。</translation>
    </message>
    <message>
        <source>Replaces an If of known condition by the branch it takes.</source>
        <translation>将条件已知的 If 替换为其执行的分支。</translation>
    </message>
    <message>
        <source>Replaces nodes whose every output has no elements by empty constants.</source>
        <translation>将所有输出均为空的节点替换为空常量。</translation>
    </message>
    <message>
        <source>Replaces what follows from known shapes by constants, whole shape arithmetic at once.</source>
        <translation>将由已知 shape 推出的内容替换为常量，整段 shape 运算一次完成。</translation>
    </message>
    <message>
        <source>Shortens chains of TransData and Cast to at most one of each.</source>
        <translation>将 TransData 与 Cast 链缩短为至多各一个。</translation>
    </message>
    <message>
        <source>Spreads NCHW and the like from where the model states it, before shapes are known.</source>
        <translation>在 shape 已知之前，从模型指明处传播 NCHW 等格式。</translation>
    </message>
    <message>
        <source>Spreads NCHW and the like over the tensors whose shape is known by now.</source>
        <translation>在 shape 已知的 Tensor 上传播 NCHW 等格式。</translation>
    </message>
    <message>
        <source>Takes Squeeze, Unsqueeze and other changes of dims out, with their axis constants.</source>
        <translation>移除 Squeeze、Unsqueeze 等改变维度的算子及其轴常量。</translation>
    </message>
    <message>
        <source>Takes every Reshape out; what is needed comes back in ReshapeRecoveryPass.</source>
        <translation>移除所有 Reshape；需要的由 ReshapeRecoveryPass 恢复。</translation>
    </message>
    <message>
        <source>Turns a Transpose that only moves dims of one into Squeeze and Unsqueeze.</source>
        <translation>将只移动长度为 1 的维度的 Transpose 变为 Squeeze 和 Unsqueeze。</translation>
    </message>
    <message>
        <source>Works out lifetimes and gives every tensor an address.</source>
        <translation>计算生命周期并为每个 Tensor 分配地址。</translation>
    </message>
    <message>
        <source>The graph as read from the file.</source>
        <translation>从文件读入的图。</translation>
    </message>
    <message>
        <source>A function of one tensor and the conversion of its result share one kernel</source>
        <translation>单输入函数与其结果的类型转换合为一个 kernel</translation>
    </message>
    <message>
        <source>Joins vector operators by their loops, pair by pair, where that saves memory traffic; off unless AUTOFUSE_FLAGS switches it on.</source>
        <translation>按循环逐对合并 Vector 算子以减少访存；除非 AUTOFUSE_FLAGS 打开，否则关闭。</translation>
    </message>
    <message>
        <source>Operands of a Concat are written side by side, so that it needs no task.</source>
        <translation>Concat 的各输入并排写入，因而无需 Task。</translation>
    </message>
    <message>
        <source>Operands of a Pack are written side by side, so that it needs no task.</source>
        <translation>Pack 的各输入并排写入，因而无需 Task。</translation>
    </message>
    <message>
        <source>Joins the kernels of one _super_kernel_scope on one stream into one launch; a foreign operator parts it.</source>
        <translation>把同一条流上同一 _super_kernel_scope 的 kernel 合为一次下发；其间有其他算子则分开。</translation>
    </message>
</context>
<context>
    <name>gelens::TablePanel</name>
    <message>
        <source>Fit the widths</source>
        <translation>自动调整列宽</translation>
    </message>
    <message>
        <source>Export the list</source>
        <translation>导出列表</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制所选行</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>过滤</translation>
    </message>
    <message>
        <source>Unfold all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Fold all</source>
        <translation>全部折叠</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>filter…</source>
        <translation>过滤…</translation>
    </message>
    <message>
        <source>No row contains “%1”.</source>
        <translation>没有包含“%1”的行。</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Copy the chosen rows as text</source>
        <translation>将选中的行复制为文本</translation>
    </message>
    <message>
        <source>Choose every row</source>
        <translation>选中所有行</translation>
    </message>
    <message>
        <source>Show only rows that contain these words</source>
        <translation>只显示包含这些词的行</translation>
    </message>
    <message>
        <source>Show what lies below every row</source>
        <translation>展开每一行的下级内容</translation>
    </message>
    <message>
        <source>Show the topmost rows alone</source>
        <translation>只显示最上层的行</translation>
    </message>
    <message>
        <source>Columns…</source>
        <translation>列…</translation>
    </message>
    <message>
        <source>Hide and show columns</source>
        <translation>显示或隐藏列</translation>
    </message>
    <message>
        <source>Write what the filter lets through as CSV or JSON, or the rows in sight as a picture</source>
        <translation>将筛选后的内容写为 CSV 或 JSON，或将可见的行写为图片</translation>
    </message>
    <message>
        <source>Export as %1…</source>
        <translation>导出为 %1…</translation>
    </message>
    <message>
        <source>Write the list as a %1 file</source>
        <translation>将列表写为 %1 文件</translation>
    </message>
    <message>
        <source>Sort by…</source>
        <translation>排序…</translation>
    </message>
    <message>
        <source>Choose the column that gives the order; once more turns it round</source>
        <translation>选择排序的列；再次选择则反向排序</translation>
    </message>
    <message>
        <source>As it was</source>
        <translation>恢复原顺序</translation>
    </message>
</context>
<context>
    <name>gelens::TextChangesModel</name>
    <message>
        <source>Node and field</source>
        <translation>节点与字段</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>%1 nodes have other ids</source>
        <translation>%1 个节点的 id 不同</translation>
    </message>
    <message>
        <source>%1 memory offsets in %2 nodes are others</source>
        <translation>%2 个节点中的 %1 个内存偏移不同</translation>
    </message>
    <message>
        <source>%1 nodes stand in another place</source>
        <translation>%1 个节点的位置不同</translation>
    </message>
    <message>
        <source>%1 nodes have their fields in another order</source>
        <translation>%1 个节点的字段顺序不同</translation>
    </message>
    <message>
        <source>outside all nodes</source>
        <translation>节点之外</translation>
    </message>
    <message>
        <source>%1 fields</source>
        <translation>%1 个字段</translation>
    </message>
</context>
<context>
    <name>gelens::TextDiffView</name>
    <message>
        <source>The dump before</source>
        <translation>之前的 dump</translation>
    </message>
    <message>
        <source>The dump after</source>
        <translation>之后的 dump</translation>
    </message>
    <message>
        <source>comparing …</source>
        <translation>比较中 …</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>Choose a change to read the node&apos;s text.</source>
        <translation>选择一处差异以查看节点文本。</translation>
    </message>
    <message>
        <source>The node is not there.</source>
        <translation>此处没有该节点。</translation>
    </message>
    <message>
        <source>%1 differences · %2 nodes are equal</source>
        <translation>%1 处差异 · %2 个节点相同</translation>
    </message>
    <message>
        <source>Both texts say the same of all %1 nodes.</source>
        <translation>两份文本对全部 %1 个节点的描述相同。</translation>
    </message>
    <message>
        <source>The form in which GE would dump both steps</source>
        <translation>GE dump 这两步时采用的格式</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>上一处差异</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>下一处差异</translation>
    </message>
    <message>
        <source>Two files…</source>
        <translation>两个文件…</translation>
    </message>
    <message>
        <source>Compare two dump files in place of the steps</source>
        <translation>比较两个 dump 文件而不是步骤</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Back to the steps of the run</source>
        <translation>回到本次运行的步骤</translation>
    </message>
    <message>
        <source>Export both texts</source>
        <translation>导出两侧文本</translation>
    </message>
    <message>
        <source>No node differs between the two texts.</source>
        <translation>两份文本中没有不同的节点。</translation>
    </message>
    <message>
        <source>The graph has %1 nodes; the text diff writes up to %2 of them as text.</source>
        <translation>该图有 %1 个节点；文本对比最多将 %2 个节点写成文本。</translation>
    </message>
    <message>
        <source>The dump diff lists what the step changed. Dumps in files are read piece by piece: compare two of them here.</source>
        <translation>dump 对比视图会列出该步骤的改动。dump 文件按需读取，可在此比较两个文件。</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>The two files have %1; the text diff compares up to %2.</source>
        <translation>两个文件共 %1；文本对比最多比较 %2。</translation>
    </message>
    <message>
        <source>Open their folder to compare them as graphs in the dump diff, or choose smaller dumps: DUMP_GE_GRAPH=2 leaves out the values of constants.</source>
        <translation>可打开其所在文件夹，在 dump 对比视图中按图比较；或选择较小的 dump：DUMP_GE_GRAPH=2 不含常量数值。</translation>
    </message>
</context>
<context>
    <name>gelens::TimelineCanvas</name>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 条</translation>
    </message>
    <message>
        <source>%1 on unit %2, stream %3</source>
        <translation>%1，单元 %2，流 %3</translation>
    </message>
    <message>
        <source>from %1 to %2, takes %3 (estimated)</source>
        <translation>从 %1 到 %2，耗时 %3（仿真估算）</translation>
    </message>
    <message>
        <source>launch %1, compute %2, memory %3: bound by %4</source>
        <translation>下发 %1，计算 %2，访存 %3：受限于%4</translation>
    </message>
    <message>
        <source>on the critical path</source>
        <translation>在关键路径上</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>estimated time</source>
        <translation>仿真估算时间</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>cube cores</source>
        <translation>Cube 核</translation>
    </message>
    <message>
        <source>vector cores</source>
        <translation>Vector 核</translation>
    </message>
    <message>
        <source>AI CPUs</source>
        <translation>AI CPU</translation>
    </message>
    <message>
        <source>MTE (moving)</source>
        <translation>MTE（搬运）</translation>
    </message>
    <message>
        <source>L2 bandwidth</source>
        <translation>L2 带宽</translation>
    </message>
    <message>
        <source>HBM bandwidth</source>
        <translation>HBM 带宽</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>at %1: %2 of %3 (estimated)</source>
        <translation>%1 时：%2，上限 %3（仿真估算）</translation>
    </message>
    <message>
        <source>on average %1, at most %2</source>
        <translation>平均 %1，最高 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>bound by</source>
        <translation>受限于</translation>
    </message>
</context>
<context>
    <name>gelens::TimelineView</name>
    <message>
        <source>The run ended before tasks were launched.</source>
        <translation>编译在 Task 下发之前就结束了。</translation>
    </message>
    <message>
        <source>The problems list says what stopped it; run the model again to get a timeline.</source>
        <translation>“问题”列表说明了原因；重新编译即可得到时间线。</translation>
    </message>
    <message>
        <source>Two runs are compared here by their graphs.</source>
        <translation>此处按图对比两次运行。</translation>
    </message>
    <message>
        <source>Choose the model in the Models view to see the timeline of its run; the statistics set the latencies side by side.</source>
        <translation>在“模型”视图中切换到该模型，即可查看其时间线；两次运行的时延在“统计”中对照。</translation>
    </message>
    <message>
        <source>There is nothing to launch.</source>
        <translation>没有可下发的 Task。</translation>
    </message>
    <message>
        <source>No operator of the model needs a task of its own.</source>
        <translation>模型中没有需要独立 Task 的算子。</translation>
    </message>
    <message>
        <source>Estimated %1 · tasks %2 · streams %3 · bubbles %4 (%5 idle) · dispatch %6 + traffic %7 + compute %8</source>
        <translation>仿真估算 %1 · Task %2 · 流 %3 · 空泡 %4（空闲 %5）· 下发 %6 + 访存 %7 + 计算 %8</translation>
    </message>
    <message>
        <source>From %1 to %2: tasks %3, together %4 (Esc clears)</source>
        <translation>从 %1 到 %2：Task %3 个，合计 %4（Esc 清除）</translation>
    </message>
    <message>
        <source>Whole run: tasks %1, together %2. Drag over the timeline to sum a span.</source>
        <translation>全程：Task %1 个，合计 %2。在时间线上拖动可统计一段。</translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation>编译后</translation>
    </message>
    <message>
        <source>Before: as imported</source>
        <translation>之前：导入的模型</translation>
    </message>
    <message>
        <source>The compiled model, or the imported one run operator by operator</source>
        <translation>编译后的模型，或逐算子运行的导入模型</translation>
    </message>
    <message>
        <source>Timeline shown</source>
        <translation>显示的时间线</translation>
    </message>
    <message>
        <source>find task…</source>
        <translation>查找 Task…</translation>
    </message>
    <message>
        <source>Marks tasks by name or type; Enter goes from one to the next</source>
        <translation>按名称或类型标出 Task；Enter 转到下一个</translation>
    </message>
    <message>
        <source>Find task</source>
        <translation>查找 Task</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一个匹配 (Enter)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Show everything (Home)</source>
        <translation>显示全部 (Home)</translation>
    </message>
    <message>
        <source>Task timeline</source>
        <translation>Task 时间线</translation>
    </message>
    <message>
        <source>Streams and units over estimated time. W and S zoom, A and D move, F fills the width with the selection, arrows left and right walk from task to task, Home shows everything.</source>
        <translation>按仿真估算时间排列的流与单元。W、S 缩放，A、D 移动，F 让所选充满宽度，左右方向键逐个切换 Task，Home 显示全部。</translation>
    </message>
    <message>
        <source>Time by operator type</source>
        <translation>按算子类型统计的时间</translation>
    </message>
    <message>
        <source>There is no original graph to compare with.</source>
        <translation>没有可供比较的原图。</translation>
    </message>
    <message>
        <source>Original %1 → optimised %2 (estimated). Gain: dispatch %3, traffic %4, compute %5.</source>
        <translation>原图 %1 → 优化后 %2（仿真估算）。收益：下发 %3，访存 %4，计算 %5。</translation>
    </message>
    <message>
        <source>Export the timeline</source>
        <translation>导出时间线</translation>
    </message>
    <message>
        <source>By operator type</source>
        <translation>按算子类型</translation>
    </message>
    <message>
        <source>Original against optimised</source>
        <translation>原图与优化后对比</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>The run has not launched tasks yet.</source>
        <translation>运行尚未下发 Task。</translation>
    </message>
    <message>
        <source>It is halted; continue it from the Run menu.</source>
        <translation>运行已暂停；请从“运行”菜单继续。</translation>
    </message>
    <message>
        <source>CSV (*.csv);;Chrome trace (*.json)</source>
        <translation>CSV (*.csv);;Chrome trace (*.json)</translation>
    </message>
    <message>
        <source>Write the timeline as SVG, PNG, PDF, CSV or Chrome trace (Ctrl+Shift+E)</source>
        <translation>将时间线写为 SVG、PNG、PDF、CSV 或 Chrome trace (Ctrl+Shift+E)</translation>
    </message>
    <message>
        <source>%1 tasks are to be drawn; the timeline shows up to %2.</source>
        <translation>需要绘制 %1 个 Task；时间线最多显示 %2 个。</translation>
    </message>
    <message>
        <source>The statistics have the totals. All tasks with their times can be written as CSV or as a trace for Perfetto.</source>
        <translation>统计视图中有总量。可将全部 Task 及其时间导出为 CSV，或导出为 Perfetto 可打开的轨迹。</translation>
    </message>
    <message>
        <source>Dumps hold no tasks, so there is nothing to time.</source>
        <translation>dump 图不含 Task，因此没有时间线。</translation>
    </message>
    <message>
        <source>Open the model itself and compile it, or the OM file that was made of it.</source>
        <translation>请打开并编译模型本身，或打开由它生成的 OM 文件。</translation>
    </message>
    <message>
        <source>%1 (%2 of them kernels)</source>
        <translation>%1（其中 kernel %2 个）</translation>
    </message>
</context>
<context>
    <name>gelens::TotalsModel</name>
    <message>
        <source>Operator type</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>Time (est.)</source>
        <translation>时间（估算）</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
</context>
<context>
    <name>gelens::Tour</name>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>End the tour</source>
        <translation>结束导览</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>gelens::UnfusedView</name>
    <message>
        <source>The run ended before chains were looked for.</source>
        <translation>编译在查找算子链之前就结束了。</translation>
    </message>
    <message>
        <source>The problems list says what stopped it; run the model again.</source>
        <translation>“问题”列表说明了原因；请重新编译。</translation>
    </message>
    <message>
        <source>No fusion rule names two neighbours of this model.</source>
        <translation>没有融合规则涉及此模型中相邻的两个算子。</translation>
    </message>
    <message>
        <source>Not fused (%1)</source>
        <translation>未融合 (%1)</translation>
    </message>
    <message>
        <source>Fused (%1 rules)</source>
        <translation>已融合 (%1 条规则)</translation>
    </message>
    <message>
        <source>Chains that were not fused</source>
        <translation>未融合的算子链</translation>
    </message>
    <message>
        <source>Fusion rules and their places</source>
        <translation>融合规则及其位置</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>A chain is listed where a fusion rule names both of two neighbours.</source>
        <translation>相邻两个算子同时被某条融合规则涉及时，才会列为算子链。</translation>
    </message>
    <message>
        <source>Two runs are compared here by their graphs.</source>
        <translation>此处按图对比两次运行。</translation>
    </message>
    <message>
        <source>Choose the model in the Models view to see the chains of its run.</source>
        <translation>在“模型”视图中切换到该模型，即可查看其未融合的算子链。</translation>
    </message>
    <message>
        <source>Files do not say why a chain was not fused.</source>
        <translation>文件中没有算子链未融合的原因。</translation>
    </message>
    <message>
        <source>Open the model itself and compile it, then set the dumps beside the run.</source>
        <translation>请打开并编译模型本身，再把 dump 图放在该运行旁边对比。</translation>
    </message>
    <message>
        <source>The run has not looked for chains yet.</source>
        <translation>运行尚未查找算子链。</translation>
    </message>
    <message>
        <source>It is halted; continue it from the Run menu.</source>
        <translation>运行已暂停；请从“运行”菜单继续。</translation>
    </message>
    <message>
        <source>Export the explanation</source>
        <translation>导出说明</translation>
    </message>
    <message>
        <source>A compiled file does not say why a chain was not fused.</source>
        <translation>编译好的文件不说明算子链为何未融合。</translation>
    </message>
    <message>
        <source>Open the model that it was compiled from: its compile looks at every chain.</source>
        <translation>请打开它的原始模型：编译时会检查每条算子链。</translation>
    </message>
</context>
<context>
    <name>gelens::WelcomeView</name>
    <message>
        <source>What DUMP_GE_GRAPH writes of this network: phases to step through and compare.</source>
        <translation>DUMP_GE_GRAPH 为该网络写出的 dump 图：可逐阶段单步查看、比较。</translation>
    </message>
    <message>
        <source>Two decoder layers with real weights: small enough to verify every step.</source>
        <translation>两层解码器，带真实权重：小到可以验证每一步。</translation>
    </message>
    <message>
        <source>The decoder of LLaMA-7B with its 32 layers; shapes are real, weights are only declared.</source>
        <translation>LLaMA-7B 的 32 层解码器；shape 真实，权重仅声明。</translation>
    </message>
    <message>
        <source>One attention that fuses into a single kernel.</source>
        <translation>一个可融合为单个算子的注意力。</translation>
    </message>
    <message>
        <source>The same attention over 16,384 keys: see why L1 is too small for it.</source>
        <translation>同样的注意力，16,384 个 key：看 L1 为何放不下。</translation>
    </message>
    <message>
        <source>A chain across cube and vector cores that cannot become one kernel.</source>
        <translation>跨 cube 与 vector 核、无法合成一个算子的算子链。</translation>
    </message>
    <message>
        <source>A convolutional network: batch normalisation and ReLU disappear into convolutions.</source>
        <translation>卷积网络：批归一化和 ReLU 融入卷积。</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>This file is gone.</source>
        <translation>文件已不存在。</translation>
    </message>
    <message>
        <source>No samples in %1; “./dev build” makes them.</source>
        <translation>%1 中没有示例；运行“./dev build”即可生成。</translation>
    </message>
    <message>
        <source>Step through the compile of a neural network for an Ascend NPU: what each pass changed, why a chain was not fused, where the memory goes, and whether the numbers still hold.</source>
        <translation>逐步查看神经网络面向昇腾 NPU 的编译：每个 Pass 改了什么，算子链为何没有融合，内存用在哪里，数值是否依然正确。</translation>
    </message>
    <message>
        <source>Open a model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Open a model file (Ctrl+O)</source>
        <translation>打开模型文件 (Ctrl+O)</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Version %1</source>
        <translation>版本 %1</translation>
    </message>
    <message>
        <source>Open a dump folder…</source>
        <translation>打开 dump 图文件夹…</translation>
    </message>
    <message>
        <source>Step through a folder of DUMP_GE_GRAPH dumps (Ctrl+Alt+O)</source>
        <translation>单步查看 DUMP_GE_GRAPH 的 dump 图文件夹 (Ctrl+Alt+O)</translation>
    </message>
    <message>
        <source>Two-minute tour</source>
        <translation>两分钟导览</translation>
    </message>
    <message>
        <source>See the panels one after the other (F1)</source>
        <translation>逐个了解各个面板（F1）</translation>
    </message>
</context>
<context>
    <name>gelens::WhatIfForm</name>
    <message>
        <source>“%1” names no stream labels; write node = label; node = label.</source>
        <translation>“%1”不是流标签；请写作 节点 = 标签; 节点 = 标签。</translation>
    </message>
    <message>
        <source>Stream labels</source>
        <translation>流标签</translation>
    </message>
    <message>
        <source>node = label; …</source>
        <translation>节点 = 标签; …</translation>
    </message>
    <message>
        <source>A node with a label runs on the stream of that label; several are parted by semicolons</source>
        <translation>带标签的节点在该标签的流上执行；多个之间用分号分隔</translation>
    </message>
    <message>
        <source>%1: “%2” is no size; write bytes, 512K or 1M.</source>
        <translation>%1：“%2”不是大小；请写字节数、512K 或 1M。</translation>
    </message>
    <message>
        <source>%1: “%2” is no shape; write 1,3,224,224.</source>
        <translation>%1：“%2”不是 shape；请写成 1,3,224,224。</translation>
    </message>
    <message>
        <source>%1 on the chip</source>
        <translation>芯片为 %1</translation>
    </message>
    <message>
        <source>SoC</source>
        <translation>SoC</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>ATC&apos;s precision_mode; ATC&apos;s own default is force_fp16</source>
        <translation>即 ATC 的 precision_mode；ATC 自身默认为 force_fp16</translation>
    </message>
    <message>
        <source>Memory policy</source>
        <translation>内存策略</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流</translation>
    </message>
    <message>
        <source>single stream</source>
        <translation>单流</translation>
    </message>
    <message>
        <source>parallel streams</source>
        <translation>多流并行</translation>
    </message>
    <message>
        <source>Buffers of one core, L2 of the chip</source>
        <translation>单核缓冲区与芯片 L2</translation>
    </message>
    <message>
        <source>Input shapes</source>
        <translation>输入 shape</translation>
    </message>
    <message>
        <source>Fusion rules: on, off, or as by default</source>
        <translation>融合规则：打开、关闭或默认</translation>
    </message>
    <message>
        <source>Bytes, or 512K, 1M; empty: what the chip has</source>
        <translation>字节数，或 512K、1M；为空则取芯片自身大小</translation>
    </message>
    <message>
        <source>Dimensions with commas between them; empty: as in the file</source>
        <translation>以逗号分隔的维度；为空则与文件相同</translation>
    </message>
    <message>
        <source>Passes left out</source>
        <translation>跳过的 Pass</translation>
    </message>
    <message>
        <source>pass; …</source>
        <translation>要跳过的 Pass; …</translation>
    </message>
    <message>
        <source>Passes or rules that do not run, parted by semicolons; those that others need cannot be left out</source>
        <translation>不运行的 Pass 或规则，用分号隔开；其他 Pass 依赖的不能跳过</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>卡数</translation>
    </message>
    <message>
        <source>Split by its repeated blocks over so many cards, each compiled alone and set against the base run</source>
        <translation>按重复块切分到若干张卡，各自单独编译并与基准运行比较</translation>
    </message>
    <message>
        <source>%1 more inputs. Set their shapes on the command line: gelens-cli compile --set.</source>
        <translation>另有 %1 个输入。请在命令行设置其 shape：gelens-cli compile --set。</translation>
    </message>
</context>
<context>
    <name>gelens::WhatIfView</name>
    <message>
        <source>name of the run</source>
        <translation>运行名称</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Compile with these options and keep the run (Enter in the name)</source>
        <translation>用这些选项编译并保留结果（在名称框中按回车）</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Back to the options of the base run</source>
        <translation>恢复基准运行的选项</translation>
    </message>
    <message>
        <source>Compare graphs</source>
        <translation>比较图</translation>
    </message>
    <message>
        <source>Show the graphs of the base run and of this run side by side</source>
        <translation>并排显示基准运行与此运行的图</translation>
    </message>
    <message>
        <source>Use these options</source>
        <translation>采用这些选项</translation>
    </message>
    <message>
        <source>Compile the model itself with the options of this run</source>
        <translation>用此运行的选项编译模型本身</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Forget this run</source>
        <translation>删除此运行</translation>
    </message>
    <message>
        <source>What the run is to be called</source>
        <translation>运行的名称</translation>
    </message>
    <message>
        <source>F2 renames a run, double click takes its options into the form</source>
        <translation>F2 重命名，双击将其选项填入表单</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行列表</translation>
    </message>
    <message>
        <source>Differences from the base run</source>
        <translation>与基准运行的差异</translation>
    </message>
    <message>
        <source>Change options on the left and press Run: what differs from the base run is listed here.</source>
        <translation>在左侧更改选项并点击“运行”：与基准运行的差异会列在此处。</translation>
    </message>
    <message>
        <source>Nothing to compare yet: change an option and press Run.</source>
        <translation>还没有可比较的结果：修改选项后点击“运行”。</translation>
    </message>
    <message>
        <source>Dumps cannot be compiled with other options.</source>
        <translation>dump 图不能用其他选项重新编译。</translation>
    </message>
    <message>
        <source>Open the model itself: each option can be changed there, and the runs compared.</source>
        <translation>请打开模型本身：可修改每个选项，并比较各次运行。</translation>
    </message>
</context>
<context>
    <name>gelens::Words</name>
    <message>
        <source>Graph parsing</source>
        <translation>图解析</translation>
    </message>
    <message>
        <source>Graph compilation</source>
        <translation>图编译</translation>
    </message>
    <message>
        <source>Memory allocation</source>
        <translation>内存分配</translation>
    </message>
    <message>
        <source>Task generation</source>
        <translation>Task 生成</translation>
    </message>
    <message>
        <source>Task launch</source>
        <translation>Task 下发</translation>
    </message>
    <message>
        <source>Model as read</source>
        <translation>读入的模型</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>规范化</translation>
    </message>
    <message>
        <source>Shape inference</source>
        <translation>Shape 推导</translation>
    </message>
    <message>
        <source>Preparation</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>Graph fusion</source>
        <translation>图融合</translation>
    </message>
    <message>
        <source>Layout optimisation</source>
        <translation>Layout 优化</translation>
    </message>
    <message>
        <source>Clean-up</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>Kernel fusion</source>
        <translation>UB 融合</translation>
    </message>
    <message>
        <source>Stream assignment</source>
        <translation>流分配</translation>
    </message>
    <message>
        <source>Memory reuse</source>
        <translation>内存复用</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>下发</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>cube</source>
        <translation>cube</translation>
    </message>
    <message>
        <source>vector</source>
        <translation>vector</translation>
    </message>
    <message>
        <source>mix</source>
        <translation>mix</translation>
    </message>
    <message>
        <source>AI CPU</source>
        <translation>AI CPU</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>runtime</source>
        <translation>runtime</translation>
    </message>
    <message>
        <source>GE itself</source>
        <translation>GE 自身</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>已融合</translation>
    </message>
    <message>
        <source>no rule</source>
        <translation>无匹配规则</translation>
    </message>
    <message>
        <source>rule is off</source>
        <translation>规则已关闭</translation>
    </message>
    <message>
        <source>L1 limit</source>
        <translation>L1 容量限制</translation>
    </message>
    <message>
        <source>UB limit</source>
        <translation>UB 容量限制</translation>
    </message>
    <message>
        <source>L0 limit</source>
        <translation>L0 容量限制</translation>
    </message>
    <message>
        <source>execution unit conflict</source>
        <translation>执行单元冲突</translation>
    </message>
    <message>
        <source>number of cores</source>
        <translation>核数</translation>
    </message>
    <message>
        <source>not on this chip</source>
        <translation>此芯片不支持</translation>
    </message>
    <message>
        <source>kernel type</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>several readers</source>
        <translation>多个消费者</translation>
    </message>
    <message>
        <source>graph output inside</source>
        <translation>中间结果是图输出</translation>
    </message>
    <message>
        <source>control edge</source>
        <translation>控制边</translation>
    </message>
    <message>
        <source>would make a cycle</source>
        <translation>会形成环</translation>
    </message>
    <message>
        <source>border of a sub-graph</source>
        <translation>子图边界</translation>
    </message>
    <message>
        <source>dynamic shape</source>
        <translation>动态 shape</translation>
    </message>
    <message>
        <source>data type</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>attribute</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>constant value</source>
        <translation>常量值</translation>
    </message>
    <message>
        <source>not a constant</source>
        <translation>不是常量</translation>
    </message>
    <message>
        <source>number of inputs</source>
        <translation>输入个数</translation>
    </message>
    <message>
        <source>alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>stream label</source>
        <translation>流标签</translation>
    </message>
    <message>
        <source>precision mode</source>
        <translation>精度模式</translation>
    </message>
    <message>
        <source>already fused</source>
        <translation>已被融合</translation>
    </message>
    <message>
        <source>different scopes</source>
        <translation>作用域不同</translation>
    </message>
    <message>
        <source>determinism</source>
        <translation>确定性</translation>
    </message>
    <message>
        <source>dump is on</source>
        <translation>已开启 dump</translation>
    </message>
    <message>
        <source>thread mode</source>
        <translation>线程模式</translation>
    </message>
    <message>
        <source>too many outputs</source>
        <translation>输出过多</translation>
    </message>
    <message>
        <source>repeat count</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>slices differ</source>
        <translation>切片不同</translation>
    </message>
    <message>
        <source>nothing to gain</source>
        <translation>没有收益</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>too many nodes</source>
        <translation>节点过多</translation>
    </message>
    <message>
        <source>No rule</source>
        <translation>无匹配规则</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量限制</translation>
    </message>
    <message>
        <source>Execution unit</source>
        <translation>执行单元</translation>
    </message>
    <message>
        <source>Structure</source>
        <translation>结构</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>feature map</source>
        <translation>特征图</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作空间</translation>
    </message>
    <message>
        <source>model input</source>
        <translation>模型输入</translation>
    </message>
    <message>
        <source>model output</source>
        <translation>模型输出</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>下发</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>访存</translation>
    </message>
    <message>
        <source>full compilation</source>
        <translation>全量编译</translation>
    </message>
    <message>
        <source>lightweight compilation</source>
        <translation>轻量级编译</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Format inference</source>
        <translation>格式推导</translation>
    </message>
    <message>
        <source>Clean-up, first part</source>
        <translation>清理（一）</translation>
    </message>
    <message>
        <source>Clean-up, second part</source>
        <translation>清理（二）</translation>
    </message>
    <message>
        <source>en</source>
        <translation>zh</translation>
    </message>
    <message>
        <source>dumped phases</source>
        <translation>dump 图各阶段</translation>
    </message>
    <message>
        <source>single operator</source>
        <translation>单算子</translation>
    </message>
    <message>
        <source>graph %1</source>
        <translation>图 %1</translation>
    </message>
    <message>
        <source>sub-graph %1</source>
        <translation>子图 %1</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>仿真</translation>
    </message>
    <message>
        <source>real dump</source>
        <translation>真实 dump</translation>
    </message>
    <message>
        <source>original model</source>
        <translation>原始模型</translation>
    </message>
    <message>
        <source>Clean-up after kernel fusion</source>
        <translation>UB 融合后清理</translation>
    </message>
</context>
<context>
    <name>gelens::FileTools</name>
    <message>
        <source>Open a folder of dumps</source>
        <translation>打开 dump 图文件夹</translation>
    </message>
    <message>
        <source>The model that the OM was compiled from</source>
        <translation>编译出该 OM 的原始模型</translation>
    </message>
    <message>
        <source>Models (*.onnx);;All files (*)</source>
        <translation>模型 (*.onnx);;所有文件 (*)</translation>
    </message>
    <message>
        <source>GE's dumps of the same model</source>
        <translation>同一模型的 GE dump 图</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Open a folder of DUMP_GE_GRAPH dumps and step through its phases</source>
        <translation>打开 DUMP_GE_GRAPH 的 dump 图文件夹，并逐阶段查看</translation>
    </message>
    <message>
        <source>Attach original model…</source>
        <translation>附加原始模型…</translation>
    </message>
    <message>
        <source>Put the model that this OM was compiled from before it, to compare the two</source>
        <translation>把编译出该 OM 的原始模型放在它之前，以便对比</translation>
    </message>
    <message>
        <source>Compare with real dumps…</source>
        <translation>与真实 dump 图对比…</translation>
    </message>
    <message>
        <source>Set GE's own dumps of this model beside the simulated run and find where they part</source>
        <translation>把 GE 对该模型的 dump 图放在仿真运行旁边，找出两者从哪里开始不同</translation>
    </message>
    <message>
        <source>dumps · %1 phases · %2 · %3 · %4 operators</source>
        <translation>dump 图 · %1 个阶段 · %2 · %3 · %4 个算子</translation>
    </message>
    <message>
        <source>Open a file as…</source>
        <translation>以指定格式打开文件…</translation>
    </message>
    <message>
        <source>Open as…</source>
        <translation>以指定格式打开…</translation>
    </message>
    <message>
        <source>Say yourself what a file is when its content does not tell</source>
        <translation>当文件内容无法判断格式时，自行指定</translation>
    </message>
    <message>
        <source>its content fits</source>
        <translation>内容相符</translation>
    </message>
    <message>
        <source>Open as</source>
        <translation>打开方式</translation>
    </message>
    <message>
        <source>type a format</source>
        <translation>输入格式</translation>
    </message>
    <message>
        <source>Compare with step…</source>
        <translation>与某一步对比…</translation>
    </message>
    <message>
        <source>Compare the step shown with any other instead of the one before it</source>
        <translation>将当前步与任意一步（而非前一步）对比</translation>
    </message>
    <message>
        <source>Compare with step</source>
        <translation>与某一步对比</translation>
    </message>
    <message>
        <source>type a number, a pass, a phase or a graph</source>
        <translation>输入步号、Pass、阶段或图</translation>
    </message>
</context>
<context>
    <name>gelens::ModelJobs</name>
    <message>
        <source>%1 beside dumps</source>
        <translation>%1 与 dump 图对比</translation>
    </message>
</context>
<context>
    <name>gelens::ResultsModel</name>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
</context>
<context>
    <name>gelens::ResultsPanel</name>
    <message>
        <source>Close the list (Esc)</source>
        <translation>关闭列表 (Esc)</translation>
    </message>
    <message>
        <source>Close the list</source>
        <translation>关闭列表</translation>
    </message>
</context>
<context>
    <name>gelens::OverflowRow</name>
    <message>
        <source>More tools</source>
        <translation>更多工具</translation>
    </message>
</context>
<context>
    <name>gelens::SavingsModel</name>
    <message>
        <source>remove</source>
        <translation>去除</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>原地写入</translation>
    </message>
    <message>
        <source>fuse</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>重新计算</translation>
    </message>
    <message>
        <source>reorder</source>
        <translation>调整顺序</translation>
    </message>
    <message>
        <source>Without this tensor at all: the most that anything done to it could save.</source>
        <translation>完全没有该 Tensor：对它所做的任何改动最多节省这么多。</translation>
    </message>
    <message>
        <source>'%1' writes it over '%2', which dies there.</source>
        <translation>“%1”将它写在“%2”之上，后者到此不再使用。</translation>
    </message>
    <message>
        <source>'%1' and its only reader '%2' as one kernel: it stays on the chip.</source>
        <translation>“%1”与唯一的消费者“%2”合为一个 kernel：它留在片上。</translation>
    </message>
    <message>
        <source>'%1' runs again for '%2', so that it is gone in between.</source>
        <translation>“%1”为“%2”再运行一次，其间不占内存。</translation>
    </message>
    <message>
        <source>'%1' runs as late as it can.</source>
        <translation>“%1”尽可能晚地运行。</translation>
    </message>
    <message>
        <source>'%1', its last reader, runs as soon as its inputs are there.</source>
        <translation>最后的消费者“%1”在输入就绪后立即运行。</translation>
    </message>
    <message>
        <source>Saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Of the peak</source>
        <translation>占峰值</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>做法</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Peak then</source>
        <translation>之后的峰值</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>gelens::CompareModel</name>
    <message>
        <source>Compiled task</source>
        <translation>编译后的 Task</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Original tasks</source>
        <translation>原 Task 数</translation>
    </message>
    <message>
        <source>Original (est.)</source>
        <translation>原图（估算）</translation>
    </message>
    <message>
        <source>Optimised (est.)</source>
        <translation>优化后（估算）</translation>
    </message>
    <message>
        <source>Gain (est.)</source>
        <translation>收益（估算）</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>(no task any more)</source>
        <translation>（不再有 Task）</translation>
    </message>
</context>
<context>
    <name>gelens::LiveTools</name>
    <message>
        <source>Compile again and halt where a breakpoint stops; without breakpoints at the first pass</source>
        <translation>重新编译，并在断点处暂停；没有断点时在第一个 Pass 处暂停</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Go on to the next breakpoint or to the end</source>
        <translation>继续到下一个断点或结束</translation>
    </message>
    <message>
        <source>One edit</source>
        <translation>单步编辑</translation>
    </message>
    <message>
        <source>Go on by one edit of the pass under way</source>
        <translation>当前 Pass 再执行一次编辑</translation>
    </message>
    <message>
        <source>To the end of the pass</source>
        <translation>执行完当前 Pass</translation>
    </message>
    <message>
        <source>Go on until the pass, or the next one that changes something, has ended</source>
        <translation>继续，直到当前 Pass 或下一个有改动的 Pass 结束</translation>
    </message>
    <message>
        <source>running …</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>halted behind step %1, %2</source>
        <translation>已暂停在第 %1 步（%2）之后</translation>
    </message>
    <message>
        <source>halted before step %1, %2</source>
        <translation>已暂停在第 %1 步（%2）之前</translation>
    </message>
    <message>
        <source>halted inside step %1, %2, at edit %3: %4</source>
        <translation>已暂停在第 %1 步（%2）内，第 %3 次编辑：%4</translation>
    </message>
    <message>
        <source>halted</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>pausing …</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>Compile to breakpoint</source>
        <translation>编译到断点</translation>
    </message>
    <message>
        <source>Compile to breakpoints</source>
        <translation>编译到断点</translation>
    </message>
    <message>
        <source>Halt the run at its next edit, pass or verified step and show what is there</source>
        <translation>在下一次编辑、下一个 Pass 或下一个待验证步骤处暂停运行，并显示此刻的内容</translation>
    </message>
    <message>
        <source>Cannot be paused: it is about to halt at its next edit, pass or verified step.</source>
        <translation>无法暂停：即将在下一次编辑、下一个 Pass 或下一个待验证步骤处停下。</translation>
    </message>
    <message>
        <source>Cannot be paused: files are being read, and there is no half-read graph to look at. Cancel with Esc.</source>
        <translation>无法暂停：正在读取文件，没有可供查看的中间图。可按 Esc 取消。</translation>
    </message>
    <message>
        <source>Cannot be paused: what runs is not the model shown. Cancel with Esc, or choose its model.</source>
        <translation>无法暂停：正在运行的不是当前显示的模型。可按 Esc 取消，或切换到该模型。</translation>
    </message>
    <message>
        <source>halted while verifying, before step %1, %2: %3 of %4 steps computed so far hold</source>
        <translation>验证中暂停，位于第 %1 步（%2）之前：已计算的 %4 个步骤中 %3 个一致</translation>
    </message>
</context>
<context>
    <name>gelens::BisectDialog</name>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Searching … look %1, %2</source>
        <translation>正在查找… 第 %1 次检查，%2</translation>
    </message>
    <message>
        <source>It is not so at the end of the run.</source>
        <translation>运行结束时并非如此。</translation>
    </message>
    <message>
        <source>It is not so at the end of the run: %1.</source>
        <translation>运行结束时并非如此：%1。</translation>
    </message>
    <message>
        <source>It is so from the start; no pass made it so.</source>
        <translation>从一开始就是这样，并非由某个 Pass 引起。</translation>
    </message>
    <message>
        <source>It is so from the start; no pass made it so: %1.</source>
        <translation>从一开始就是这样，并非由某个 Pass 引起：%1。</translation>
    </message>
    <message>
        <source>Step %1, %2, makes it so.</source>
        <translation>由第 %1 步（%2）引起。</translation>
    </message>
    <message>
        <source>Node: %1.</source>
        <translation>节点：%1。</translation>
    </message>
    <message>
        <source>Found in %1 runs with the passes behind left out.</source>
        <translation>共运行 %1 次（跳过其后的 Pass）后找到。</translation>
    </message>
    <message>
        <source>Found in %1 looks.</source>
        <translation>共检查 %1 次后找到。</translation>
    </message>
    <message>
        <source>Find the pass that …</source>
        <translation>查找引起变化的 Pass</translation>
    </message>
    <message>
        <source>What came about</source>
        <translation>出现的变化</translation>
    </message>
    <message>
        <source>numbers beyond tolerance</source>
        <translation>数值超出容差</translation>
    </message>
    <message>
        <source>outputs differ at all</source>
        <translation>输出有任何不同</translation>
    </message>
    <message>
        <source>node is gone</source>
        <translation>节点消失</translation>
    </message>
    <message>
        <source>operator type is gone</source>
        <translation>算子类型消失</translation>
    </message>
    <message>
        <source>figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Halve the steps of the run until the pass is found</source>
        <translation>对运行的步骤二分，直到找到该 Pass</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Go to the step</source>
        <translation>转到该步骤</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>gelens::StepExportDialog</name>
    <message>
        <source>Folder for the texts</source>
        <translation>文本的目标文件夹</translation>
    </message>
    <message>
        <source>Cancelled; the files that were written are there.</source>
        <translation>已取消；已写出的文件保留。</translation>
    </message>
    <message>
        <source>Writing …</source>
        <translation>正在写出…</translation>
    </message>
    <message>
        <source>Writing %1 of %2: %3</source>
        <translation>正在写出第 %1 个，共 %2 个：%3</translation>
    </message>
    <message>
        <source>%1 files written to %2</source>
        <translation>已写出 %1 个文件到 %2</translation>
    </message>
    <message>
        <source>Export steps as text</source>
        <translation>将步骤导出为文本</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>phases</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>passes that changed something</source>
        <translation>有改动的 Pass</translation>
    </message>
    <message>
        <source>all passes</source>
        <translation>所有 Pass</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>where the files go</source>
        <translation>文件写到哪里</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>None</source>
        <translation>全不选</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Write each chosen step in each chosen form, named as GE names its dumps</source>
        <translation>按所选格式写出每个所选步骤，文件名与 GE 的 dump 一致</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>gelens::RecordedPicture</name>
    <message>
        <source>%1 more rows; CSV and JSON have them all.</source>
        <translation>其余 %1 行从略；CSV 和 JSON 中有全部行。</translation>
    </message>
</context>
<context>
    <name>gelens::PreferenceForm</name>
    <message>
        <source>no dumps are written</source>
        <translation>不写 dump 图</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
</context>
<context>
    <name>gelens::PreferenceTools</name>
    <message>
        <source>Verification was stopped after %1 s, as the settings ask; nothing was proved.</source>
        <translation>已按设置在 %1 秒后停止验证；未得出结论。</translation>
    </message>
</context>
<context>
    <name>gelens::PreferenceWords</name>
    <message>
        <source>Size of letters</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>Recent files kept</source>
        <translation>保留的最近文件数</translation>
    </message>
    <message>
        <source>Keep the session for a crash after</source>
        <translation>为防崩溃保存会话的间隔</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度模式</translation>
    </message>
    <message>
        <source>Memory policy</source>
        <translation>内存策略</translation>
    </message>
    <message>
        <source>Time for planners that search</source>
        <translation>搜索式规划的时间</translation>
    </message>
    <message>
        <source>Verify after each run</source>
        <translation>每次运行后验证</translation>
    </message>
    <message>
        <source>Time for verification</source>
        <translation>验证的时间上限</translation>
    </message>
    <message>
        <source>Folder for GE&apos;s dumps</source>
        <translation>GE dump 图目录</translation>
    </message>
    <message>
        <source>What dumps hold</source>
        <translation>dump 图的内容</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比方式</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>Fold repeated blocks</source>
        <translation>折叠重复块</translation>
    </message>
    <message>
        <source>Group by scopes</source>
        <translation>按作用域分组</translation>
    </message>
    <message>
        <source>Shapes on edges</source>
        <translation>边上显示 shape</translation>
    </message>
    <message>
        <source>Data types on edges</source>
        <translation>边上显示数据类型</translation>
    </message>
    <message>
        <source>Formats on edges</source>
        <translation>边上显示格式</translation>
    </message>
    <message>
        <source>Constants as nodes</source>
        <translation>常量显示为节点</translation>
    </message>
    <message>
        <source>Map of the graph</source>
        <translation>图的缩略图</translation>
    </message>
    <message>
        <source>Moving blocks</source>
        <translation>块移动动画</translation>
    </message>
    <message>
        <source>Of all texts but those inside the graph, which is zoomed</source>
        <translation>除可缩放的图内文字外，适用于所有文字</translation>
    </message>
    <message>
        <source>In the File menu and on the welcome page</source>
        <translation>显示在“文件”菜单和欢迎页中</translation>
    </message>
    <message>
        <source>After a change; a start after a crash offers what was kept</source>
        <translation>在改动之后；崩溃后再次启动时可恢复所保存的内容</translation>
    </message>
    <message>
        <source>Of models opened from now on; ATC&apos;s own default is force_fp16</source>
        <translation>适用于此后打开的模型；ATC 自身的默认值是 force_fp16</translation>
    </message>
    <message>
        <source>How addresses are planned in models opened from now on</source>
        <translation>此后打开的模型如何规划地址</translation>
    </message>
    <message>
        <source>With a limit in seconds a plan may differ from machine to machine</source>
        <translation>以秒为限时，不同机器上的规划结果可能不同</translation>
    </message>
    <message>
        <source>Models opened or run again from now on are computed before and after each step</source>
        <translation>此后打开或重新运行的模型会在每一步前后计算并比较数值</translation>
    </message>
    <message>
        <source>What is not proved when it is over stays unproved; a pause does not count</source>
        <translation>超时后尚未验证的部分不再验证；暂停的时间不计入</translation>
    </message>
    <message>
        <source>Every compile writes its phases into a folder of the model&apos;s name here</source>
        <translation>每次编译都会把各阶段写入此处以模型命名的目录</translation>
    </message>
    <message>
        <source>As the values 1, 2 and 3 of DUMP_GE_GRAPH</source>
        <translation>对应 DUMP_GE_GRAPH 的取值 1、2、3</translation>
    </message>
    <message>
        <source>How the two steps are shown</source>
        <translation>两个步骤的显示方式</translation>
    </message>
    <message>
        <source>What the colour of a node&apos;s stripe stands for</source>
        <translation>节点色条颜色的含义</translation>
    </message>
    <message>
        <source>A layer that comes again is drawn once, with its count</source>
        <translation>重复出现的层只画一次，并注明次数</translation>
    </message>
    <message>
        <source>Nodes are grouped by the scopes in their names</source>
        <translation>节点按名称中的作用域分组</translation>
    </message>
    <message>
        <source>The shape of a tensor is written on its edge</source>
        <translation>在边上标出 Tensor 的 shape</translation>
    </message>
    <message>
        <source>The data type of a tensor is written on its edge</source>
        <translation>在边上标出 Tensor 的数据类型</translation>
    </message>
    <message>
        <source>The format of a tensor is written on its edge where it is not plain (ND)</source>
        <translation>Tensor 格式不是 ND 时在边上标出</translation>
    </message>
    <message>
        <source>Constants are drawn as nodes of their own</source>
        <translation>常量画成独立的节点</translation>
    </message>
    <message>
        <source>The whole graph in a corner when only a part is in view</source>
        <translation>只看到部分图时，在角落显示全图</translation>
    </message>
    <message>
        <source>Blocks glide to their new places when one is opened or folded</source>
        <translation>展开或折叠块时，其余块平滑移动到新位置</translation>
    </message>
    <message>
        <source>everything, weights too (1)</source>
        <translation>全部内容，含权重（1）</translation>
    </message>
    <message>
        <source>no weights (2)</source>
        <translation>不含权重（2）</translation>
    </message>
    <message>
        <source>structure only (3)</source>
        <translation>仅结构（3）</translation>
    </message>
    <message>
        <source>Before | after</source>
        <translation>前 | 后</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>After only</source>
        <translation>仅之后</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>执行单元</translation>
    </message>
    <message>
        <source>Operator class</source>
        <translation>算子类别</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Data type</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Latency, estimated</source>
        <translation>时延（仿真估算）</translation>
    </message>
    <message>
        <source>Memory of results</source>
        <translation>输出占用内存</translation>
    </message>
    <message>
        <source>Made by pass</source>
        <translation>产生它的 Pass</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>none</source>
        <translation>不保留</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>a fixed number of tries</source>
        <translation>固定次数的尝试</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> 磅</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
</context>
<context>
    <name>gelens::CommandReasons</name>
    <message>
        <source>This is the first step.</source>
        <translation>这已是第一步。</translation>
    </message>
    <message>
        <source>This is the last step.</source>
        <translation>这已是最后一步。</translation>
    </message>
    <message>
        <source>No breakpoint stops behind this step.</source>
        <translation>此步骤之后没有断点停下。</translation>
    </message>
    <message>
        <source>No breakpoint stops before this step.</source>
        <translation>此步骤之前没有断点停下。</translation>
    </message>
    <message>
        <source>Select a node first.</source>
        <translation>请先选择一个节点。</translation>
    </message>
    <message>
        <source>No run is halted.</source>
        <translation>没有暂停的运行。</translation>
    </message>
    <message>
        <source>No search is kept yet.</source>
        <translation>还没有保存的搜索。</translation>
    </message>
    <message>
        <source>Write a search above the graph first.</source>
        <translation>请先在图上方输入搜索内容。</translation>
    </message>
    <message>
        <source>There is nothing to take back.</source>
        <translation>没有可撤销的操作。</translation>
    </message>
    <message>
        <source>Nothing was taken back.</source>
        <translation>没有可重做的操作。</translation>
    </message>
    <message>
        <source>Nothing is hidden.</source>
        <translation>没有隐藏任何内容。</translation>
    </message>
    <message>
        <source>The whole graph is shown, not a tab.</source>
        <translation>当前显示的是整图，而不是标签页。</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>没有正在运行的任务。</translation>
    </message>
    <message>
        <source>Nothing that can be paused is running.</source>
        <translation>没有可暂停的运行。</translation>
    </message>
    <message>
        <source>No row is chosen.</source>
        <translation>没有选中任何行。</translation>
    </message>
    <message>
        <source>The list is empty.</source>
        <translation>列表为空。</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>Wait for the end of the run, or cancel it.</source>
        <translation>请等待运行结束，或将其取消。</translation>
    </message>
    <message>
        <source>The model shown does not allow it.</source>
        <translation>当前模型不支持此操作。</translation>
    </message>
    <message>
        <source>Choose a breakpoint in the list.</source>
        <translation>请在列表中选择一个断点。</translation>
    </message>
</context>
<context>
    <name>gelens::CommandRegistry</name>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>The view in front, %1, has no picture.</source>
        <translation>当前视图（%1）没有图片。</translation>
    </message>
    <message>
        <source>The view in front, %1, has no list with rows to unfold.</source>
        <translation>当前视图（%1）没有可展开的列表。</translation>
    </message>
    <message>
        <source>The view in front, %1, has no list.</source>
        <translation>当前视图（%1）没有列表。</translation>
    </message>
    <message>
        <source>The panel %1 is not in front.</source>
        <translation>面板“%1”不在最前面。</translation>
    </message>
</context>
<context>
    <name>gelens::CommandTexts</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
</TS>
