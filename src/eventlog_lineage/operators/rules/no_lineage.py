"""Commands that move no rows: settings, descriptions, definitions, statistics."""

from __future__ import annotations

from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import generated


@operator(
    *"""
    AddArchiveCommand AddArchivesCommand AddCheckConstraint AddFileCommand AddFilesCommand AddJarCommand AddJarsCommand
    AlterDatabasePropertiesCommand AlterDatabaseSetLocationCommand AlterNamespaceSetLocation AlterNamespaceSetProperties
    AlterV2ViewSchemaBinding AlterV2ViewSetProperties AlterV2ViewUnsetProperties AlterViewSchemaBindingCommand
    AnalyzeColumnCommand AnalyzePartitionCommand AnalyzeTableCommand AnalyzeTablesCommand CacheTable CacheTableAsSelect
    CacheTableCommand ClearCacheCommand CloseCursor CommentOnNamespace CreateDatabaseCommand CreateFunction
    CreateFunctionCommand CreateIndex CreateNamespace CreateSQLFunctionCommand CreateUserDefinedFunctionCommand
    CreateVariable DeclareCursor DescribeColumn DescribeColumnCommand DescribeDatabaseCommand DescribeFunction
    DescribeFunctionCommand DescribeNamespace DescribeProcedureCommand DescribeQueryCommand DescribeRelationJsonCommand
    DescribeTable DescribeTableCommand DescribeTablePartition DescribeV2View DescribeV2ViewColumn DropConstraint
    DropDatabaseCommand DropFunction DropFunctionCommand DropIndex DropNamespace DropTempViewCommand DropVariable
    ExplainCommand FetchCursor ListArchivesCommand ListFilesCommand ListJarsCommand Noop NoopCommand OpenCursor
    RefreshFunction RefreshFunctionCommand RefreshResource RefreshTable RefreshTableCommand ResetCommand
    ResolvedIdentifier SetCatalogAndNamespace SetDatabaseCommand SetCatalogCommand SetCommand
    SetNamespaceCollationCommand SetNamespaceCommand SetPathCommand ShowCatalogsCommand ShowCollationsCommand
    ShowColumns ShowColumnsCommand ShowCreateTable ShowCreateTableAsSerdeCommand ShowCreateTableCommand ShowCreateV2View
    ShowCurrentNamespace ShowCurrentNamespaceCommand ShowFunctions ShowFunctionsCommand ShowNamespacesCommand
    ShowPartitions ShowPartitionsCommand ShowPartitionsJsonCommand ShowProceduresCommand ShowTableExtended
    ShowTablePartition ShowTableProperties ShowTablePropertiesCommand ShowTablesCommand ShowTablesExtended
    ShowTablesJsonCommand ShowV2ViewColumns ShowV2ViewProperties ShowV2Views ShowViews ShowViewsCommand
    StreamingExplainCommand UncacheTable UncacheTableCommand UnsetNamespacePropertiesCommand
    """.split()
)
def no_lineage(op: Operation) -> Flow:
    """Read and write no dataset's rows; statistics of a table are read in a separate execution."""
    return Flow(command=op.node.operator)


@operator("SetVariable", "MultiResult")
def keep_reads(op: Operation) -> Flow:
    """Read as its queries do, and write no dataset: `SET VARIABLE x = (SELECT max(id) FROM t)` (3.5+)."""
    return op.input


@operator("CommandResult")
def command_result(op: Operation) -> Flow:
    """Output rows without sources: the command below runs in its own execution, which has its lineage.

    The rows of commands such as `DESCRIBE HISTORY` can be a query's input; they come from no dataset.
    """
    named = op.node.attributes("Output")
    return Flow(tuple(Output(name, expr_id, generated(name)) for name, expr_id in named), command="CommandResult")
