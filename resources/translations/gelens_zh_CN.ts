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
        <translation>实有</translation>
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
        <source>Ctrl+→ goes to the next step that changes something; the pipeline list shows where they are.</source>
        <translation>Ctrl+→ 转到下一个有变更的步骤；编译流程列表显示它们的位置。</translation>
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
        <source>Step %1 %2 against step %3 · nodes %4 · tensors %5 · nodes unchanged %6</source>
        <translation>第 %1 步 %2 对比第 %3 步 · 节点 %4 · Tensor %5 · 未变节点 %6</translation>
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
        <source>Previous change (P)</source>
        <translation>上一处变更 (P)</translation>
    </message>
    <message>
        <source>Next change (N)</source>
        <translation>下一处变更 (N)</translation>
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
        <translation>需要 %1，实有 %2</translation>
    </message>
    <message>
        <source>Copy explanation</source>
        <translation>复制说明</translation>
    </message>
    <message>
        <source>Choose a row to read why the operators were fused, or why not.</source>
        <translation>选择一行，查看算子为何融合或为何没有融合。</translation>
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
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
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
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
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
        <source>F7</source>
        <translation>F7</translation>
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
        <source>Shift+F7</source>
        <translation>Shift+F7</translation>
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
        <translation>形状</translation>
    </message>
    <message>
        <source>Write shapes, and formats other than ND, on edges</source>
        <translation>在边上标出形状，以及非 ND 的格式</translation>
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
        <source>Before over after</source>
        <translation>上：之前　下：之后</translation>
    </message>
    <message>
        <source>%1: %2 before, %3 after</source>
        <translation>%1：之前 %2 个，之后 %3 个</translation>
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
        <translation>峰值内存</translation>
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
        <translation>原始</translation>
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
        <translation>另有 %1 个使用者</translation>
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
        <translation>需要 %1%3，实有 %2%3</translation>
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
        <source>cores</source>
        <translation>核数</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>算子二进制</translation>
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
    <name>gelens::LegendBar</name>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>no unit</source>
        <translation>无单元</translation>
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
        <translation>主机</translation>
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
        <translation>警告</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
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
        <source>%1 · %2 → %3 operators · peak %4 (bound %5) · estimated %6</source>
        <translation>%1 · 算子 %2 → %3 · 峰值 %4（下界 %5）· 仿真估算 %6</translation>
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
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
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
        <source>Models (*.onnx);;All files (*)</source>
        <translation>模型 (*.onnx);;所有文件 (*)</translation>
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
</context>
<context>
    <name>gelens::MemoryView</name>
    <message>
        <source>They share %1 from %2: '%3' is last used at step %4, '%5' begins at step %6.</source>
        <translation>两者共用 %1，起于 %2：“%3”最后用于步骤 %4，“%5”始于步骤 %6。</translation>
    </message>
    <message>
        <source>They could share: '%1' is last used at step %2 on stream %3, '%4' begins at step %5 on stream %6. Different streams share only where an event orders them.</source>
        <translation>两者可以共用：“%1”最后用于流 %3 上的步骤 %2，“%4”始于流 %6 上的步骤 %5。不同的流只有在事件确定次序时才能共用。</translation>
    </message>
    <message>
        <source>They could share: '%1' is last used at step %2, '%3' begins at step %4. The planner gave the places to other tensors.</source>
        <translation>两者可以共用：“%1”最后用于步骤 %2，“%3”始于步骤 %4。规划器把位置给了其他 Tensor。</translation>
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
        <translation>“%1”和“%2”在整个运行期间保留（%3），其位置不会让给他人。</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>于步骤 %1</translation>
    </message>
    <message>
        <source>from step %1 to step %2</source>
        <translation>从步骤 %1 到步骤 %2</translation>
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
        <translation>存活于步骤 %1 至步骤 %2</translation>
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
        <translation>请为动态输入指定形状后重新编译。</translation>
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
        <source>Fusion saves %1 (%2 → %3): tensors that are no longer made.</source>
        <translation>融合节省 %1（%2 → %3）：不再产生的 Tensor。</translation>
    </message>
    <message>
        <source>The compiled graph has %1 more in its tensors (%2 → %3).</source>
        <translation>编译后的图中 Tensor 多出 %1（%2 → %3）。</translation>
    </message>
    <message>
        <source>Alive at the peak, step %1</source>
        <translation>峰值时存活，步骤 %1</translation>
    </message>
    <message>
        <source>Alive at step %1</source>
        <translation>存活于步骤 %1</translation>
    </message>
    <message>
        <source>Choose a tensor here or in the map. With Ctrl choose a second one to read why the two do not share memory.</source>
        <translation>在此处或图中选择 Tensor。按住 Ctrl 再选一个，可查看两者为何不共用内存。</translation>
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
</context>
<context>
    <name>gelens::MessagesModel</name>
    <message>
        <source>output %1 has another shape</source>
        <translation>输出 %1 的形状不同</translation>
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
        <source>Memory reuse rate</source>
        <translation>内存复用率</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Latency (estimated)</source>
        <translation>时延（仿真估算）</translation>
    </message>
    <message>
        <source>Kernels compiled / shared</source>
        <translation>算子二进制 编译 / 共享</translation>
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
        <translation>需要 %1，实有 %2</translation>
    </message>
    <message>
        <source>needs %1</source>
        <translation>需要 %1</translation>
    </message>
    <message>
        <source>has %1</source>
        <translation>实有 %1</translation>
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
        <translation>来自代价模型。之前：由主机逐个下发；之后：下沉的 Task 列表。</translation>
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
        <source>Latency gain, estimated: %1 = dispatch %2 + traffic %3 + compute %4</source>
        <translation>时延收益（仿真估算）：%1 = 下发 %2 + 访存 %3 + 计算 %4</translation>
    </message>
    <message>
        <source>Kernels: %1 compiled, %2 shared · engine time %3</source>
        <translation>算子二进制：编译 %1 个，共享 %2 个 · 引擎耗时 %3</translation>
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
</context>
<context>
    <name>gelens::TablePanel</name>
    <message>
        <source>Export the list</source>
        <translation>导出列表</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
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
        <source>Export as CSV…</source>
        <translation>导出为 CSV…</translation>
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
        <source>Show only rows that contain these words (Ctrl+F)</source>
        <translation>只显示包含这些词的行 (Ctrl+F)</translation>
    </message>
</context>
<context>
    <name>gelens::TimelineCanvas</name>
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
        <source>%1: bound by %2</source>
        <translation>%1：受限于%2</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
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
</context>
<context>
    <name>gelens::WelcomeView</name>
    <message>
        <source>Two decoder layers with real weights: small enough to verify every step.</source>
        <translation>两层解码器，带真实权重：小到可以验证每一步。</translation>
    </message>
    <message>
        <source>The decoder of LLaMA-7B with its 32 layers; shapes are real, weights are only declared.</source>
        <translation>LLaMA-7B 的 32 层解码器；形状真实，权重仅声明。</translation>
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
        <source>Files that you open are listed here. You can also drop one on the window.</source>
        <translation>打开过的文件会列在这里。也可以把文件拖到窗口上。</translation>
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
        <translation>形状推导</translation>
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
        <translation>主机</translation>
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
        <translation>多个使用者</translation>
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
        <translation>动态形状</translation>
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
        <translation>峰值内存</translation>
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
        <translation>警告</translation>
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
</context>
</TS>
